// A core waits for the interrupts of another through /dev/rckirq: each is
// returned once, with its time, and a signal ends the wait.
// run: --cores 0,5 --tag none
// also: --kernel l4
// expect-stdout:
// nothing yet: Resource temporarily unavailable
// three bytes: Invalid argument
// 4 bytes: 1 interrupt
// 12 bytes: 1 interrupt, after it was sent
// told twice: Resource temporarily unavailable
// while it computes: 1 interrupt
// a signal: Interrupted system call
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

typedef volatile uint32_t word;

/* Core 0 interrupts core 5: tile 2, its second core. */
#define GLCFG1 0x18
#define INTR 2u

static word *map(const char *device, uint32_t address)
{
    int fd = open(device, O_RDWR | O_SYNC);
    return mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
                (off_t)address);
}

static struct __attribute__((packed)) {
    uint32_t count;
    uint64_t time;
} report;

static void on_alarm(int number)
{
    (void)number;
}

static void send(word *step, word *pins, uint32_t number)
{
    while (*step != number)
        ;
    pins[GLCFG1 / 4] |= INTR;
}

static void receive(word *step)
{
    int fd = open("/dev/rckirq", O_RDONLY);
    int now = open("/dev/rckirq", O_RDONLY | O_NONBLOCK);
    uint64_t begin;

    read(now, &report, 4);
    printf("nothing yet: %s\n", strerror(errno));
    read(fd, &report, 3);
    printf("three bytes: %s\n", strerror(errno));
    *step = 1;
    int got = (int)read(fd, &report, 4);
    printf("%d bytes: %u interrupt\n", got, report.count);
    begin = __builtin_ia32_rdtsc();
    *step = 2;
    got = (int)read(fd, &report, 100);
    printf("%d bytes: %u interrupt, %s\n", got, report.count,
           report.time > begin && report.time < __builtin_ia32_rdtsc()
               ? "after it was sent"
               : "at no possible time");
    read(now, &report, 4);
    printf("told twice: %s\n", strerror(errno));
    *step = 3;
    report.count = 0;
    while (read(now, &report, 4) < 0)
        ;
    printf("while it computes: %u interrupt\n", report.count);
    struct sigaction action = {.sa_handler = on_alarm};
    sigaction(SIGALRM, &action, NULL);
    ualarm(1000, 0);
    read(fd, &report, 4);
    printf("a signal: %s\n", strerror(errno));
}

int main(void)
{
    word *tile = map("/dev/rckncm", 0xF8000000u);
    word *step = map("/dev/rckncm", 0x80000000u);

    if ((tile[0x100 / 4] >> 3 & 15) != 0) {
        receive(step);
        return 0;
    }
    word *pins = map("/dev/rckncm", 0xE2000000u);
    for (uint32_t number = 1; number <= 3; number++)
        send(step, pins, number);
    return 0;
}
