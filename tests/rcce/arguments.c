// The program sees its own arguments only; ranks follow the order of the
// cores; the clock runs.
// run: --cores 10,0,47 --tag none -- one two
// also-slow: --kernel l4
// cc: -lrcce
// expect-stdout:
// 3 arguments: one two
// time passes
#include "RCCE.h"

int RCCE_APP(int argc, char **argv)
{
    if (RCCE_init(&argc, &argv))
        return 1;
    if (RCCE_num_ues() != 3)
        return 2;
    if (RCCE_ue() == 0) {
        printf("%d arguments: %s %s\n", argc, argv[1], argv[2]);
        double start = RCCE_wtime();
        for (volatile int i = 0; i < 1000; i++)
            ;
        double seconds = RCCE_wtime() - start;
        puts(seconds > 1e-6 && seconds < 1e-3 ? "time passes"
                                              : "time does not pass");
    }
    return RCCE_finalize();
}
