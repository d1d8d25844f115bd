/*
 * RCCE_launch.c: the number of UEs, the core clock in GHz and the physical
 * cores in the order of their ranks, as the launcher gives them.
 *
 * Our kernel offers this as a file; other launchers put it in front of the
 * program's own arguments, from where RCCE_init takes it away.
 */
#include "RCCE_lib.h"

#include "scc/job.h"

/* Marks programs that learn their launch data from the kernel's file:
 * launchers leave the argument list of such a program alone. ELF note layout:
 * sizes of name and description, type, name, description. */
struct launch_note {
    uint32_t name_bytes, description_bytes, type;
    char name[12];
    char description[4];
};
__attribute__((section(".note.rockcreek"), used,
               aligned(4))) static const struct launch_note launch_note = {
    sizeof "rockcreek", 4, 1, "rockcreek", {'R', 'C', 'C', 'E'},
};

/* prog NUE GHz id0 id1 ... own arguments -> prog own arguments */
static void read_launch_arguments(int *argc, char ***argv)
{
    int taken;

    if (!argc || !argv || !*argv)
        return;
    taken = scc_job_from_words(*argc - 1, *argv + 1);
    if (taken == 0)
        return;
    (*argv)[taken] = (*argv)[0];
    *argv += taken;
    *argc -= taken;
}

int rcce_read_launch(int *argc, char ***argv)
{
    const struct scc_job *job = scc_job();

    if (!job) {
        read_launch_arguments(argc, argv);
        job = scc_job();
    }
    if (!job || !rcce_open_tables(job->ranks))
        return 0;
    for (int ue = 0; ue < job->ranks; ue++)
        rcce_core_of[ue] = job->core_of[ue];
    rcce_ues = job->ranks;
    rcce_ghz = job->ghz;
    return 1;
}
