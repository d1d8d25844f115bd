// One UE sets a flag again and again, and the other never resets it.
// cc: -O1 -g -lrcce
// run: -n 2
// expect-exit: 0
// expect-stderr: UE 1 waits 3 times until a flag is set, at main \(flag_not_reset\.c:30\), and nobody resets it: each wait behind the first returns at once
// expect-stderr: hint: write RCCE_FLAG_UNSET when the flag was seen, and let who sets it wait for that

#include <stdio.h>

#include "RCCE.h"

int RCCE_APP(int argc, char **argv)
{
    int line[8] = {0};
    RCCE_FLAG ready, taken;
    RCCE_init(&argc, &argv);
    t_vcharp buffer = RCCE_malloc(sizeof line);
    RCCE_flag_alloc(&ready);
    RCCE_flag_alloc(&taken);
    for (int round = 1; round <= 3; round++) {
        if (RCCE_ue() == 0) {
            line[0] = round;
            RCCE_put(buffer, (t_vcharp)line, sizeof line, 1);
            RCCE_flag_write(&ready, RCCE_FLAG_SET, 1);
#ifdef MENDED
            RCCE_wait_until(taken, RCCE_FLAG_SET);
            RCCE_flag_write(&taken, RCCE_FLAG_UNSET, 0);
#endif
        } else {
            RCCE_wait_until(ready, RCCE_FLAG_SET);
            RCCE_get((t_vcharp)line, buffer, sizeof line, 1);
            printf("%d\n", line[0]);
#ifdef MENDED
            RCCE_flag_write(&ready, RCCE_FLAG_UNSET, 1);
            RCCE_flag_write(&taken, RCCE_FLAG_SET, 0);
#endif
        }
    }
    RCCE_finalize();
    return 0;
}
