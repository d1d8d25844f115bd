/* Two cores count in shared memory, each in a counter of its own. */
#include <RCCE.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

enum { APART = 8 }; /* numbers in a line of 32 bytes */

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
    volatile uint32_t *counters = map();
    volatile uint32_t *mine = counters + APART * RCCE_ue();
    uint32_t first = *mine;

    RCCE_barrier(&RCCE_COMM_WORLD);
    for (int n = 0; n < 10; n++)
        *mine = first + n + 1;
    RCCE_barrier(&RCCE_COMM_WORLD);
    RCCE_DCMflush();
    RCCE_barrier(&RCCE_COMM_WORLD);
    if (RCCE_ue() == 0)
        printf("counters: %u %u\n", counters[0], counters[APART]);
    RCCE_barrier(&RCCE_COMM_WORLD);
    RCCE_finalize();
    return 0;
}
