// A UE gets what another one puts, and nothing makes it wait.
// cc: -O1 -g -lrcce
// run: -n 2 --check coherence
// expect-exit: 0
// expect-stderr: early-read: core 1 read .* which core 0 had not yet written: nothing makes core 1 wait
// expect-stderr: allocated by core 01 in main \(put_without_barrier\.c:17\)
// expect-stderr: hint: core 1 must wait before put_without_barrier\.c:27 until core 0 has done put_without_barrier\.c:21: by a flag or a barrier

#include <stdio.h>

#include "RCCE.h"

int RCCE_APP(int argc, char **argv)
{
    int line[8] = {42};
    RCCE_init(&argc, &argv);
    t_vcharp buffer = RCCE_malloc(sizeof line);
    RCCE_barrier(&RCCE_COMM_WORLD);
    if (RCCE_ue() == 0) {
        line[1] = printf("putting\n");
        RCCE_put(buffer, (t_vcharp)line, sizeof line, 1);
    }
#ifdef MENDED
    RCCE_barrier(&RCCE_COMM_WORLD);
#endif
    if (RCCE_ue() == 1)
        RCCE_get((t_vcharp)line, buffer, sizeof line, 1);
    RCCE_finalize();
    return 0;
}
