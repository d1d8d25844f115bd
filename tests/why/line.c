/* UEs count in cached shared memory, each argv[1] numbers from the next. */
#include <RCCE.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    RCCE_init(&argc, &argv);
    int file = open("/dev/rckdcm", O_RDWR | O_SYNC);
    volatile uint32_t *numbers = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
                                      MAP_SHARED, file, (off_t)0x82000000);
    volatile uint32_t *own = numbers + atoi(argv[1]) * RCCE_ue();
    uint32_t first = *own;

    for (uint32_t n = 1; n <= 20; n++) {
        RCCE_barrier(&RCCE_COMM_WORLD);
        *own = first + n;
        RCCE_DCMflush();
    }
    RCCE_finalize();
    return 0;
}
