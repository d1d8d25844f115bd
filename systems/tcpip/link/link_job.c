/*
 * link_job.c: who the ranks are, the clock, how a program is refused.
 */
#include "link.h"
#include "scc/registers.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define LAUNCH_FILE "/proc/rck/launch"

int link_my_rank = -1, link_ranks, link_my_core;
int link_cores[MOST_RANKS];
struct tcpip_counts link_counts;
/* Nanoseconds a cycle, in units of 2^-20: asked for at every call. */
#define SCALE 20
static uint32_t nanoseconds;

void link_refuse(const char *what, const char *hint)
{
    fprintf(stderr, "tcpip: %s\nhint: %s\n", what, hint);
    _exit(64);
}

/* "ranks GHz core core ... own rank". */
static int read_launch(char *text)
{
    uint32_t megahertz;
    int ghz, mhz, at, ranks;

    if (sscanf(text, "%d %d.%3d %n", &ranks, &ghz, &mhz, &at) != 3)
        return 0;
    megahertz = (uint32_t)(ghz * 1000 + mhz);
    if (!megahertz)
        return 0;
    nanoseconds = (1000u << SCALE) / megahertz;
    for (int n = 0; n < ranks; n++) {
        int used, core;

        if (sscanf(text + at, "%d%n", &core, &used) != 1)
            return 0;
        at += used;
        if (n >= MOST_RANKS || core >= MOST_RANKS)
            return 0;
        link_cores[n] = core;
    }
    link_ranks = ranks;
    return sscanf(text + at, "%d", &link_my_rank) == 1 && link_my_rank >= 0 &&
           link_my_rank < ranks;
}

int link_start(void)
{
    static int started;
    char text[2048];
    int fd;

    if (started)
        return 0;
    started = 1;
    fd = open(LAUNCH_FILE, O_RDONLY);
    ssize_t length = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
    if (fd >= 0)
        close(fd);
    text[length < 0 ? 0 : length] = 0;
    if (!read_launch(text))
        link_refuse("the launch is not that of at most 48 cores",
                    "start it with rck run, on the SCC's 48 cores");
    link_my_core = link_cores[link_my_rank];
    link_choose();
    link_bell_open();
    link_board(link_my_rank)->state = STATE_UP;
    return 0;
}

uint64_t link_now(void)
{
    uint64_t cycles = scc_cycles();
    uint64_t high = (cycles >> 32) * nanoseconds;
    uint64_t low = (cycles & 0xffffffff) * nanoseconds;

    return (high << (32 - SCALE)) + (low >> SCALE);
}

int tcpip_rank(void)
{
    link_start();
    return link_my_rank;
}

int tcpip_ranks(void)
{
    link_start();
    return link_ranks;
}

const char *tcpip_buffers(void)
{
    link_start();
    return link_variant->name;
}

void tcpip_count(struct tcpip_counts *counts)
{
    *counts = link_counts;
}
