/*
 * RCCE_launch.c for bare metal: the launch data come in front of the
 * program's own arguments: prog NUE GHz id0 id1 ... own arguments.
 */
#include "../RCCE_lib.h"

int rcce_read_launch(int *argc, char ***argv)
{
    if (!argc || !argv || *argc < 4)
        return 0;
    char **words = *argv + 1;
    rcce_ues = atoi(words[0]);
    rcce_ghz = atof(words[1]);
    if (rcce_ues < 1 || rcce_ues > RCCE_MOST_UES || *argc < rcce_ues + 3 ||
        rcce_ghz <= 0)
        return 0;
    if (!rcce_open_tables(rcce_ues))
        return 0;
    for (int ue = 0; ue < rcce_ues; ue++) {
        rcce_core_of[ue] = atoi(words[ue + 2]);
        if (rcce_core_of[ue] < 0 || rcce_core_of[ue] >= RCCE_MOST_UES)
            return 0;
    }
    int taken = rcce_ues + 2;
    (*argv)[taken] = (*argv)[0];
    *argv += taken;
    *argc -= taken;
    return 1;
}
