/*
 * bell.c: the interrupt controller of the FPGA, and the pin that it sets.
 */
#include "scc/bell.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <time.h>
#include <unistd.h>

#include "scc/job.h"
#include "scc/map.h"

#define FIRST_IPI 6 /* status bit of core 0 */
#define MOST_FILES 64
#define SECOND 1000000000ull

volatile uint32_t scc_own_signals;
static int pin = -1, own;
static int words; /* of the status, with bits of the job's cores */

static volatile uint32_t *controller(uint32_t offset)
{
    return scc_fpga(offset);
}

int scc_bell_open(void)
{
    const struct scc_job *job = scc_job_on_the_scc("scc");
    uint64_t senders = 0;

    if (pin >= 0)
        return 1;
    own = job->core;
    for (int rank = 0; rank < job->ranks; rank++)
        senders |= 1ull << (job->core_of[rank] + FIRST_IPI);
    words = senders >> 32 ? 2 : 1;
    pin = scc_open_pin(O_RDONLY | O_NONBLOCK);
    if (pin < 0)
        return 0;
    *controller(SCC_FPGA_GIC_CONFIG((unsigned)own)) = 0;
    *controller(SCC_FPGA_GIC_MASK(2 * (unsigned)own)) = (uint32_t)~senders;
    *controller(SCC_FPGA_GIC_MASK(2 * (unsigned)own + 1)) =
        (uint32_t)(~senders >> 32);
    return 1;
}

void scc_bell_ring(int core)
{
    unsigned word = 2 * (unsigned)own + (unsigned)core / 32;

    *controller(SCC_FPGA_GIC_REQUEST(word)) = 1u << core % 32;
}

/* Who rang is reset, so that it can ring again: before anybody looks for
 * work, as what is asked for between is lost. Where there are mailboxes the
 * kernel has done it, and learns from the status which ones to look at. */
static void answer(void)
{
    uint32_t report;

    while (read(pin, &report, sizeof report) > 0)
        ;
    if (scc_has_mail())
        return;
    for (unsigned n = 0; n < (unsigned)words; n++) {
        unsigned word = 2 * (unsigned)own + n;
        uint32_t status = *controller(SCC_FPGA_GIC_STATUS(word));

        if (status)
            *controller(SCC_FPGA_GIC_RESET(word)) = status;
    }
}

int scc_bell_sleep(uint64_t until_ns, struct pollfd *files, int count)
{
    struct pollfd all[MOST_FILES] = {{.fd = pin, .events = POLLIN}};
    uint64_t now = until_ns == SCC_NEVER ? 0 : scc_now_ns();
    uint32_t taken = scc_own_signals;
    struct timespec time;
    int found;

    if (until_ns != SCC_NEVER) {
        if (until_ns <= now)
            return 0;
        time.tv_sec = (time_t)((until_ns - now) / SECOND);
        time.tv_nsec = (long)((until_ns - now) % SECOND);
    }
    if (count >= MOST_FILES)
        count = MOST_FILES - 1;
    for (int n = 0; n < count; n++)
        all[n + 1] = files[n];
    found = ppoll(all, (nfds_t)count + 1, until_ns == SCC_NEVER ? NULL : &time,
                  NULL);
    if (found < 0)
        return taken == scc_own_signals ? -errno : 0;
    if (all[0].revents)
        answer();
    return 0;
}
