/* UE 0 writes a table into shared memory; UE 1 reads it after the barrier. */
#include <RCCE.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

enum { NUMBERS = 256 };

/* DRAM that all cores have, through their caches (/dev/rckdcm). */
static volatile uint32_t *map(void)
{
    int fd = open("/dev/rckdcm", O_RDWR | O_SYNC);
    void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
                      (off_t)0x82000000);

    close(fd);
    return page;
}

int main(int argc, char **argv)
{
    RCCE_init(&argc, &argv);
    volatile uint32_t *table = map();
    uint32_t before = 0, after = 0;

    for (int n = 0; n < NUMBERS; n++)
        before += table[n];
    RCCE_barrier(&RCCE_COMM_WORLD);
    if (RCCE_ue() == 0)
        for (int n = 0; n < NUMBERS; n++)
            table[n] = 1;
    RCCE_barrier(&RCCE_COMM_WORLD);
    for (int n = 0; n < NUMBERS; n++)
        after += table[n];
    printf("UE %d: %u, then %u\n", RCCE_ue(), before, after);
    RCCE_finalize();
    return 0;
}
