// A result is verified if it is as close to the official one as asked for, on
// either side of it; one that is not is reported as failed, with exit code 1.
// cc: -O2 -lnpb -lrcce
// run: -n 1 --tag none
// expect-exit: 1
// expect-match: ^close: 1 1, far: 0 0, no number: 0$
// expect-match: ^EP class S on 1 cores: verification FAILED$
#include "RCCE.h"
#include "npb.h"

#include <math.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    double official = -3.247834652034740e3, epsilon = 1e-8;

    RCCE_init(&argc, &argv);
    printf("close: %d %d, far: %d %d, no number: %d\n",
           npb_is_close(official * (1 + 0.9e-8), official, epsilon),
           npb_is_close(official * (1 - 0.9e-8), official, epsilon),
           npb_is_close(official * (1 + 1.1e-8), official, epsilon),
           npb_is_close(-official, official, epsilon),
           npb_is_close(NAN, official, epsilon));
    int code = npb_report("EP", 'S', 1e6, 0.5, false);
    RCCE_finalize();
    return code;
}
