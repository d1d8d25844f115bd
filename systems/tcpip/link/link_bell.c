/*
 * link_bell.c: sleeping until somebody rings, and ringing.
 *
 * A bell is a word on the board: its owner says there that it goes to sleep;
 * whoever finds it asleep asks the FPGA's interrupt controller for an
 * interrupt, in whose status the sender has a bit. So a core that is awake
 * is not interrupted, and one that sleeps halts.
 */
#include "link.h"
#include "scc/registers.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <time.h>
#include <unistd.h>

#define FIRST_IPI 6 /* status bit of core 0 */
#define MOST_FILES 64
#define SECOND 1000000000ull

static int pin = -1;

static volatile uint32_t *gic(uint32_t offset)
{
    return link_interrupts() + offset / 4;
}

/* The controller's registers of this core: words that a rank has a bit in. */
static int words(void)
{
    int last = 0;

    for (int n = 0; n < link_ranks; n++)
        if (link_cores[n] + FIRST_IPI >= 32)
            last = 1;
    return last + 1;
}

void link_bell_open(void)
{
    uint64_t senders = 0;
    unsigned core = (unsigned)link_my_core;

    for (int n = 0; n < link_ranks; n++)
        senders |= 1ull << (link_cores[n] + FIRST_IPI);
    pin = open("/dev/rckirq", O_RDONLY | O_NONBLOCK);
    if (pin < 0)
        link_refuse("the kernel lets no interrupts in",
                    "this needs /dev/rckirq");
    *gic(SCC_FPGA_GIC_CONFIG(core)) = 0;
    *gic(SCC_FPGA_GIC_MASK(2 * core)) = (uint32_t)~senders;
    *gic(SCC_FPGA_GIC_MASK(2 * core + 1)) = (uint32_t)(~senders >> 32);
}

void link_wake(int rank)
{
    volatile struct board *board = link_board(rank);
    unsigned me = (unsigned)link_my_core, core = (unsigned)link_cores[rank];

    if (board->bell != BELL_ASLEEP)
        return;
    board->bell = BELL_RUNG;
    *gic(SCC_FPGA_GIC_REQUEST(2 * me + core / 32)) = 1u << core % 32;
    link_counts.rings++;
}

/* Who rang is reset, so that it can ring again: before anybody looks at the
 * board, as what is asked for between is lost. */
static void answer(void)
{
    unsigned core = (unsigned)link_my_core;
    uint32_t report;

    while (read(pin, &report, sizeof report) > 0)
        ;
    for (unsigned n = 0; n < (unsigned)words(); n++) {
        uint32_t status = *gic(SCC_FPGA_GIC_STATUS(2 * core + n));

        if (status)
            *gic(SCC_FPGA_GIC_RESET(2 * core + n)) = status;
    }
}

int link_sleep(uint64_t until, struct pollfd *files, int count)
{
    struct pollfd all[MOST_FILES] = {{.fd = pin, .events = POLLIN}};
    struct timespec time;
    uint64_t now = until == FOR_EVER ? 0 : link_now();
    int found;

    if (until != FOR_EVER) {
        if (until <= now)
            return 0;
        time.tv_sec = (time_t)((until - now) / SECOND);
        time.tv_nsec = (long)((until - now) % SECOND);
    }
    if (count >= MOST_FILES)
        count = MOST_FILES - 1;
    for (int n = 0; n < count; n++)
        all[n + 1] = files[n];
    link_counts.sleeps++;
    found =
        ppoll(all, (nfds_t)count + 1, until == FOR_EVER ? NULL : &time, NULL);
    if (found < 0)
        return -errno;
    if (all[0].revents)
        answer();
    return 0;
}
