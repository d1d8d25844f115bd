// poll and select wait for the interrupt of another core, and for a time;
// what is ready already is returned at once.
// run: --cores 0,5 --tag none
// also-slow: --kernel l4
// expect-stdout:
// poll, nobody rings: 0
// poll, rung: 1
// poll, rung and not read: 1
// select, nobody rings: 0, the bit is 0
// select, rung: 1, the bit is 1
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <time.h>
#include <unistd.h>

/* Core 0 interrupts core 5: tile 2, its second core. */
#define GLCFG1 0x18
#define INTR 2u

static int pin;
static uint32_t count;

static volatile uint32_t *map(uint32_t address)
{
    int fd = open("/dev/rckncm", O_RDWR | O_SYNC);
    return mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
                (off_t)address);
}

static int polled(int milliseconds)
{
    struct pollfd file = {.fd = pin, .events = POLLIN};
    return poll(&file, 1, milliseconds);
}

static void selected(const char *what, long microseconds)
{
    struct timeval time = {.tv_usec = microseconds};
    fd_set files;
    int found;

    FD_ZERO(&files);
    FD_SET(pin, &files);
    found = select(pin + 1, &files, NULL, NULL, &time);
    printf("%s: %d, the bit is %d\n", what, found, FD_ISSET(pin, &files) != 0);
}

/* At 5 and at 20 ms. */
static void ring(volatile uint32_t *pins)
{
    for (int n = 0; n < 2; n++) {
        nanosleep(&(struct timespec){.tv_nsec = n ? 15000000 : 5000000}, NULL);
        pins[GLCFG1 / 4] |= INTR;
    }
}

int main(void)
{
    volatile uint32_t *own = map(0xF8000000);

    if ((own[0x100 / 4] & 7) == 0) {
        ring(map(0xE2000000));
        return 0;
    }
    pin = open("/dev/rckirq", O_RDONLY);
    printf("poll, nobody rings: %d\n", polled(1));
    printf("poll, rung: %d\n", polled(1000));
    printf("poll, rung and not read: %d\n", polled(1000));
    read(pin, &count, 4);
    selected("select, nobody rings", 1000);
    selected("select, rung", 900000);
    return 0;
}
