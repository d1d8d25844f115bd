/*
 * rckmpi_job.c: who the ranks are, where their message buffers are, and how a
 * job ends that goes wrong.
 *
 * Ranks, cores and their order come from the kernel, as it got them from the
 * launcher. A rank that gives up writes into a line of everybody's MPB; all
 * read theirs now and then while they wait.
 */
#include "rckmpi_private.h"
#include "SCC_API.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LAUNCH_FILE "/proc/rck/launch"
/* Rounds of polling between two looks at the control line. */
#define PATIENCE 32

int rckmpi_my_rank, rckmpi_ranks;
volatile char *rckmpi_mpb[RCKMPI_MOST_RANKS];
static int cores[RCKMPI_MOST_RANKS];
static int guarded;

/* The control line: a rank that ends the job stores its code there, plus one
 * in the upper half. Its last word drains the write-combine buffer. */
static mpb_word *control(int rank)
{
    return (mpb_word *)(rckmpi_mpb[rank] + CONTROL_OFFSET);
}

static int own_core(void)
{
    int id = ReadConfigReg(CRB_OWN + MYTILEID);

    return PID(id >> 3 & 15, id >> 7 & 15, id & 7);
}

/* "ranks GHz core core ...". */
static int read_launch(void)
{
    char text[1024], *word;
    int fd = open(LAUNCH_FILE, O_RDONLY), known = 0;

    if (fd < 0)
        return 0;
    ssize_t length = read(fd, text, sizeof text - 1);
    close(fd);
    if (length <= 0)
        return 0;
    text[length] = 0;
    word = strtok(text, " \n");
    rckmpi_ranks = word ? atoi(word) : 0;
    if (rckmpi_ranks < 1 || rckmpi_ranks > RCKMPI_MOST_RANKS ||
        !strtok(NULL, " \n"))
        return 0;
    while (known < rckmpi_ranks && (word = strtok(NULL, " \n"))) {
        char *end;
        int core = (int)strtol(word, &end, 10), last = core;
        if (*end == '-')
            last = (int)strtol(end + 1, &end, 10);
        while (core <= last && known < rckmpi_ranks)
            cores[known++] = core++;
    }
    return known == rckmpi_ranks;
}

int rckmpi_job(int *rank, int *size)
{
    if (rckmpi_ranks == 0 && !read_launch())
        return -1;
    int core = own_core();
    rckmpi_my_rank = -1;
    for (int n = 0; n < rckmpi_ranks; n++)
        if (cores[n] == core)
            rckmpi_my_rank = n;
    *rank = rckmpi_my_rank;
    *size = rckmpi_ranks;
    return rckmpi_my_rank < 0 ? -1 : 0;
}

int rckmpi_core(int rank)
{
    return rank >= 0 && rank < rckmpi_ranks ? cores[rank] : -1;
}

int rckmpi_map(void)
{
    for (int rank = 0; rank < rckmpi_ranks; rank++) {
        volatile unsigned char *map;
        int core = cores[rank];
        MPBalloc(&map, X_PID(core), Y_PID(core), Z_PID(core), 0);
        if (!map)
            return 0;
        rckmpi_mpb[rank] = (volatile char *)map;
    }
    return 1;
}

/* All ranks find the same; one says it. */
void rckmpi_refuse(const char *what, const char *hint)
{
    if (rckmpi_my_rank <= 0)
        fprintf(stderr, "rckmpi: %s\nhint: %s\n", what, hint);
    exit(64);
}

/* Others that wait see it and end with the same code. */
static void tell_all(int code)
{
    for (int rank = 0; rank < rckmpi_ranks; rank++)
        if (rank != rckmpi_my_rank && rckmpi_mpb[rank])
            control(rank)[0] = 0x10000u | ((uint32_t)code & 0xffff);
    if (rckmpi_mpb[rckmpi_my_rank])
        push_wcb();
}

void rckmpi_abort(int code)
{
    guarded = 0;
    tell_all(code);
    _exit(code & 0xff ? code & 0xff : 1);
}

void rckmpi_end_if_aborted(void)
{
    static unsigned rounds;

    if (++rounds % PATIENCE)
        return;
    uint32_t mark = control(rckmpi_my_rank)[0];
    if (!mark)
        return;
    guarded = 0;
    fflush(NULL);
    _exit(mark & 0xff ? (int)(mark & 0xff) : 1);
}

static void ended(void)
{
    if (!guarded)
        return;
    fprintf(stderr,
            "rckmpi: rank %d (core %d) ended without MPI_Finalize; so all "
            "others end\n",
            rckmpi_my_rank, cores[rckmpi_my_rank]);
    rckmpi_abort(1);
}

static void died(int signal)
{
    static const char words[] = "rckmpi: a rank died; so all others end\n";

    if (guarded && write(2, words, sizeof words - 1) > 0)
        tell_all(128 + signal);
    raise(signal);
}

void rckmpi_guard(void)
{
    static const int deadly[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    struct sigaction action = {.sa_handler = died, .sa_flags = SA_RESETHAND};

    guarded = 1;
    atexit(ended);
    for (size_t n = 0; n < sizeof deadly / sizeof *deadly; n++) {
        struct sigaction before;
        if (sigaction(deadly[n], NULL, &before) == 0 &&
            before.sa_handler == SIG_DFL)
            sigaction(deadly[n], &action, NULL);
    }
}

void rckmpi_leave(void)
{
    guarded = 0;
}
