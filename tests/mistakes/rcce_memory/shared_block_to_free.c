// The program gives a block of RCCE_shmalloc to free.
// cc: -O1 -g -lrcce
// run: -n 2
// expect-exit: 76
// expect-stderr: free\(\): invalid pointer
// expect-stderr: aborted \(a wrong free\)
// expect-stderr: at main \(shared_block_to_free\.c:20\)

#include <stdlib.h>

#include "RCCE.h"

int RCCE_APP(int argc, char **argv)
{
    RCCE_init(&argc, &argv);
    t_vcharp block = RCCE_shmalloc(64);
#ifdef MENDED
    RCCE_shfree(block);
#else
    free((void *)block);
#endif
    RCCE_finalize();
    return 0;
}
