// The three memory devices map core-physical addresses with their memory
// types, and ring 3 may read the time stamp and forget message lines.
// run: --cores 0
// also-slow: --kernel l4
// expect-stdout:
// message buffer through three mappings: same
// pushed out by another line: 7
// cached store: hidden 0, after the flush 99
// tile id: core 0 of tile (0,0)
// lock: 1 0 1
// beyond 4 GB: Invalid argument
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

typedef volatile uint32_t word;

static word *map(const char *device, uint32_t address, size_t size)
{
    int fd = open(device, O_RDWR | O_SYNC);
    void *m = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
                   (off_t)address);

    close(fd);
    return m == MAP_FAILED ? NULL : m;
}

static void forget_messages(void)
{
    __asm__ volatile(".byte 0x0f, 0x0a" : : : "memory");
}

int main(void)
{
    word *own = map("/dev/rckmpb", 0xD8000000u, 8192);
    word *tile0 = map("/dev/rckmpb", 0xC0000000u, 8192);
    word *plain = map("/dev/rckncm", 0xC0000000u, 8192);
    word *cached = map("/dev/rckdcm", 0x80000000u, 4096);
    word *memory = map("/dev/rckncm", 0x80000000u, 4096);
    word *crb = map("/dev/rckncm", 0xF8000000u, 4096);
    int fd = open("/dev/rckdcm", O_RDWR), lock[3];
    uint32_t hidden;

    for (int n = 0; n < 8; n++)
        own[n] = 1000u + (uint32_t)n; /* a whole line leaves by itself */
    forget_messages();
    printf("message buffer through three mappings: %s\n",
           own[7] == 1007 && tile0[7] == 1007 && plain[7] == 1007
               ? "same"
               : "different");
    own[16] = 7;
    own[24] = 0;
    printf("pushed out by another line: %u\n", plain[16]);
    (void)cached[0];
    cached[0] = 99;
    hidden = memory[0];
    write(fd, "", 0);
    printf("cached store: hidden %u, after the flush %u\n", hidden, memory[0]);
    printf("tile id: core %u of tile (%u,%u)\n", crb[0x100 / 4] & 7,
           crb[0x100 / 4] >> 3 & 15, crb[0x100 / 4] >> 7 & 15);
    lock[0] = (int)crb[0x200 / 4];
    lock[1] = (int)crb[0x200 / 4];
    crb[0x200 / 4] = 0;
    lock[2] = (int)crb[0x200 / 4];
    crb[0x200 / 4] = 0;
    printf("lock: %d %d %d\n", lock[0], lock[1], lock[2]);
    printf("beyond 4 GB: %s\n", mmap(NULL, 8192, PROT_READ, MAP_SHARED, fd,
                                     (off_t)0xFFFFF000u) == MAP_FAILED
                                    ? strerror(errno)
                                    : "mapped");
    return 0;
}
