/*
 * rckmpi_job.c: who the ranks are, and where their message buffers are.
 *
 * Ranks, cores and their order come from the kernel, as it got them from the
 * launcher. RCKMPI_JOBS (24,24) makes several jobs of one launch, which meet
 * by MPI's ports; a process that another one has started reads its job from
 * the board.
 */
#include "rckmpi_private.h"
#include "SCC_API.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LAUNCH_FILE "/proc/rck/launch"

int rckmpi_my_rank, rckmpi_ranks, rckmpi_my_core;
int rckmpi_my_job;
volatile char *rckmpi_mpb[RCKMPI_MOST_RANKS];
static int cores[RCKMPI_MOST_RANKS];

static int own_core(void)
{
    int id = ReadConfigReg(CRB_OWN + MYTILEID);

    return PID(id >> 3 & 15, id >> 7 & 15, id & 7);
}

int rckmpi_spans(const char *text, int *numbers, int most)
{
    int known = 0;

    while (*text) {
        char *end;
        int first = (int)strtol(text, &end, 10), last = first;
        if (end == text)
            break;
        if (*end == '-')
            last = (int)strtol(end + 1, &end, 10);
        while (first <= last && known < most)
            numbers[known++] = first++;
        text = *end ? end + 1 : end;
    }
    return known;
}

/* "ranks GHz core core ...". */
static int read_launch(void)
{
    char text[1024];
    int fd = open(LAUNCH_FILE, O_RDONLY), clock, words;

    if (fd < 0)
        return 0;
    ssize_t length = read(fd, text, sizeof text - 1);
    close(fd);
    if (length <= 0)
        return 0;
    text[length] = 0;
    if (sscanf(text, "%d %d.%*d %n", &rckmpi_ranks, &clock, &words) != 2 ||
        rckmpi_ranks < 1 || rckmpi_ranks > RCKMPI_MOST_RANKS)
        return 0;
    return rckmpi_spans(text + words, cores, rckmpi_ranks) == rckmpi_ranks;
}

/* The part of the launch that this core is in, as RCKMPI_JOBS cuts it. */
static void choose_job(void)
{
    const char *text = getenv("RCKMPI_JOBS");
    int sizes[RCKMPI_MOST_RANKS], first = 0;
    int jobs = text ? rckmpi_spans(text, sizes, RCKMPI_MOST_RANKS) : 0;

    for (int job = 0; job < jobs && first + sizes[job] <= rckmpi_ranks; job++) {
        for (int n = first; n < first + sizes[job]; n++)
            if (cores[n] == rckmpi_my_core) {
                memmove(cores, cores + first, sizeof *cores * sizes[job]);
                rckmpi_ranks = sizes[job];
                rckmpi_my_job = job;
                return;
            }
        first += sizes[job];
    }
}

int rckmpi_job(int *rank, int *size)
{
    if (rckmpi_ranks == 0) {
        rckmpi_my_core = own_core();
        rckmpi_my_job = rckmpi_started();
        if (rckmpi_my_job > 0)
            rckmpi_ranks = rckmpi_order_cores(rckmpi_my_job, cores);
        else if (!read_launch())
            return -1;
        else
            choose_job();
    }
    rckmpi_my_rank = -1;
    for (int n = 0; n < rckmpi_ranks; n++) {
        if (cores[n] == rckmpi_my_core)
            rckmpi_my_rank = n;
        if (cores[n] >= RCKMPI_MOST_RANKS)
            return -1;
    }
    *rank = rckmpi_my_rank;
    *size = rckmpi_ranks;
    return rckmpi_my_rank < 0 ? -1 : 0;
}

int rckmpi_job_number(void)
{
    return rckmpi_my_job;
}

int rckmpi_core(int rank)
{
    return rank >= 0 && rank < rckmpi_ranks ? cores[rank] : -1;
}

int rckmpi_map(int core)
{
    volatile unsigned char *map = (volatile unsigned char *)rckmpi_mpb[core];

    if (!map)
        MPBalloc(&map, X_PID(core), Y_PID(core), Z_PID(core), 0);
    rckmpi_mpb[core] = (volatile char *)map;
    return map != NULL;
}

/* All ranks find the same; one says it. */
void rckmpi_refuse(const char *what, const char *hint)
{
    if (rckmpi_my_rank <= 0)
        fprintf(stderr, "rckmpi: %s\nhint: %s\n", what, hint);
    exit(64);
}
