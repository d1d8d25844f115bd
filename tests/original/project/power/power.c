/* Each domain's master slows its tiles down and speeds them up again. */
#include <stdio.h>
#include "RCCE.h"
#include "RCCE_lib_pwr.h"

static double work(void)
{
    double start = RCCE_wtime(), sum = 0.0;
    volatile double x = 1.0;
    int i;

    for (i = 0; i < 2000; i++)
        sum += x;
    return RCCE_wtime() - start + 0.0 * sum;
}

int RCCE_APP(int argc, char **argv)
{
    RCCE_REQUEST request;
    int divider = 0, level = 0, error;
    double fast, slow;

    RCCE_init(&argc, &argv);
    RCCE_debug_set(RCCE_DEBUG_RPC);
    fast = work();
    RCCE_barrier(&RCCE_COMM_WORLD);
    error = RCCE_iset_power(8, &request, &divider, &level);
    if (!error)
        error = RCCE_wait_power(&request);
    RCCE_barrier(&RCCE_COMM_WORLD);
    slow = work();
    if (RCCE_ue() == RCCE_power_domain_master())
        printf("power: domain of UE %d, size %d: divider %d, %s, %s\n",
               RCCE_ue(), RCCE_power_domain_size(), divider,
               error ? "FAILED" : "passed",
               /* The time stamp counter slows down with the core. */
               slow < 2.0 * fast && fast < 2.0 * slow ? "same cycles"
                                                      : "other cycles");
    RCCE_barrier(&RCCE_COMM_WORLD);
    if (argc > 1 && RCCE_ue() == 0)
        print_dividers();
    RCCE_barrier(&RCCE_COMM_WORLD);
    RCCE_iset_power(3, &request, &divider, &level);
    RCCE_wait_power(&request);
    RCCE_finalize();
    return 0;
}
