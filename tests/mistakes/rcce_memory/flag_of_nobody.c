// A flag is written on a UE that is not there.
// cc: -O1 -g -lrcce
// run: -n 2
// expect-exit: 0
// expect-stderr: RCCE_flag_write failed at main \(flag_of_nobody.c:21\): no such UE
// expect-stderr: hint: UEs are 0 to RCCE_num_ues\(\) - 1

#include "RCCE.h"

#ifdef MENDED
enum { TARGET = 1 };
#else
enum { TARGET = 7 };
#endif

int RCCE_APP(int argc, char **argv)
{
    RCCE_FLAG flag;
    RCCE_init(&argc, &argv);
    RCCE_flag_alloc(&flag);
    RCCE_flag_write(&flag, RCCE_FLAG_SET, TARGET);
    RCCE_barrier(&RCCE_COMM_WORLD);
    RCCE_finalize();
    return 0;
}
