/*
 * rckmpi_end.c: how a job ends that goes wrong. A rank that gives up writes
 * into a line of everybody's MPB; all read theirs now and then while they
 * wait.
 */
#include "../rckmpi_private.h"

#include "scc/end.h"

#include <stdio.h>
#include <unistd.h>

/* Rounds of polling between two looks at the control line. */
#define PATIENCE 32

static uint8_t bound[RCKMPI_MOST_RANKS];

void rckmpi_bind(int core, int together)
{
    bound[core] = (uint8_t)together;
}

/* Others that wait see it and end with the same code: those of the own job,
 * those of other jobs that are connected, and those that were started from
 * here or have started this job, before they are connected. */
static void tell_all(int code)
{
    uint32_t mark = 0x10000u | ((uint32_t)code & 0xffff);

    for (int rank = 0; rank < rckmpi_ranks; rank++)
        bound[rckmpi_core(rank)] = 1;
    for (int core = 0; core < RCKMPI_MOST_RANKS; core++)
        if (bound[core] && core != rckmpi_my_core && rckmpi_mpb[core])
            rckmpi_control(core)[CONTROL_END] = mark;
    if (rckmpi_mpb[rckmpi_my_core])
        push_wcb();
    for (int core = 0; core < RCKMPI_MOST_RANKS; core++)
        if (bound[core] && core != rckmpi_my_core)
            rckmpi_rouse(core);
}

void rckmpi_abort(int code)
{
    rckmpi_leave();
    tell_all(code);
    rckmpi_end_badly(code & 0xff ? code & 0xff : 1);
}

void rckmpi_end_if_aborted(void)
{
    static unsigned rounds;

    if (++rounds % PATIENCE == 0)
        rckmpi_end_if_told();
}

void rckmpi_end_if_told(void)
{
    uint32_t mark = rckmpi_control(rckmpi_my_core)[CONTROL_END];
    if (!mark)
        return;
    rckmpi_leave();
    fflush(NULL);
    tell_all((int)mark); /* the sender may not know all connected here */
    rckmpi_end_badly(mark & 0xff ? (int)(mark & 0xff) : 1);
}

static void ended(void)
{
    fprintf(stderr,
            "rckmpi: rank %d (core %d) ended without MPI_Finalize; so all "
            "others end\n",
            rckmpi_my_rank, rckmpi_my_core);
    rckmpi_abort(1);
}

static void died(int signal)
{
    static const char words[] = "rckmpi: a rank died; so all others end\n";

    if (write(2, words, sizeof words - 1) > 0)
        tell_all(128 + signal);
}

void rckmpi_guard(void)
{
    scc_guard(ended, died);
}

void rckmpi_leave(void)
{
    scc_unguard(ended);
}
