/*
 * uncached.c: one core reads and writes uncached shared memory of each of
 * the four controllers word by word, then copies bytes of its own into it.
 *
 * uncached KIB: for each controller a line `controller read-cycles
 * write-cycles byte-copy-cycles` over KIB kilobytes of words, and 64 KB of
 * bytes.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define CONTROLLERS 4
#define PAGE 4096
#define COPIED (64u << 10)
/* 16 MB of shared DRAM a controller, in the default LUT. */
#define SHARED 0x80000000u
#define SEGMENT (16u << 20)

static uint8_t own[COPIED];

static volatile uint32_t *map(uint32_t address, size_t bytes)
{
    int fd = open("/dev/rckncm", O_RDWR | O_SYNC);
    void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
                    (off_t)address);
    return at == MAP_FAILED ? NULL : at;
}

static uint64_t time_reads(volatile uint32_t *memory, size_t words)
{
    uint64_t start = __builtin_ia32_rdtsc();
    uint32_t value;
    for (size_t i = 0; i < words; i++)
        value = memory[i];
    (void)value;
    return __builtin_ia32_rdtsc() - start;
}

static uint64_t time_writes(volatile uint32_t *memory, size_t words)
{
    uint64_t start = __builtin_ia32_rdtsc();
    for (size_t i = 0; i < words; i++)
        memory[i] = (uint32_t)i;
    return __builtin_ia32_rdtsc() - start;
}

static uint64_t time_byte_copy(volatile uint8_t *memory)
{
    uint64_t start = __builtin_ia32_rdtsc();
    for (size_t i = 0; i < COPIED; i++)
        memory[i] = own[i];
    return __builtin_ia32_rdtsc() - start;
}

int main(int argc, char **argv)
{
    size_t bytes = argc > 1 ? (size_t)atoi(argv[1]) << 10 : 0;

    if (bytes < COPIED || bytes > SEGMENT)
        return 1;
    for (int controller = 0; controller < CONTROLLERS; controller++) {
        volatile uint32_t *memory =
            map(SHARED + (uint32_t)controller * SEGMENT, bytes);
        if (!memory)
            return 2;
        /* Pages appear at their first touch: not while we measure. */
        for (size_t i = 0; i < bytes; i += PAGE)
            (void)memory[i / 4];
        for (size_t i = 0; i < COPIED; i += PAGE)
            *(volatile uint8_t *)&own[i] = 1;
        uint64_t reads = time_reads(memory, bytes / 4);
        uint64_t writes = time_writes(memory, bytes / 4);
        uint64_t copies = time_byte_copy((volatile uint8_t *)memory);
        printf("%d %llu %llu %llu\n", controller, (unsigned long long)reads,
               (unsigned long long)writes, (unsigned long long)copies);
    }
    return 0;
}
