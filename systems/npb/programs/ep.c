/*
 * EP: pairs of Gaussian deviates by the polar method, counted in square
 * annuli [npb-1994, section 3.2.1]. Cores share nothing until their sums are
 * added.
 */
#include "RCCE.h"
#include "RCCE_collectives.h"
#include "npb.h"

#include <math.h>

#define SEED 271828183ull
#define ANNULI 10

static const struct {
    char name;
    int log_pairs;
    double sum_x, sum_y;
} classes[] = {
    {'S', 24, -3.247834652034740e3, -6.958407078382297e3},
    {'W', 25, -2.863319731645753e3, -6.320053679109499e3},
    {'A', 28, -4.295875165629892e3, -1.580732573678431e4},
    {'B', 30, 4.033815542441498e4, -2.660669192809235e4},
};

/* Both sums, then the annuli. */
static double part[2 + ANNULI], total[2 + ANNULI];

static void count_pairs(int first, int last)
{
    uint64_t state = npb_jump(SEED, 2 * (uint64_t)first);

    for (int i = first; i < last; i++) {
        double x = 2 * npb_random(&state) - 1;
        double y = 2 * npb_random(&state) - 1;
        double t = x * x + y * y;
        if (t > 1)
            continue;
        double factor = sqrt(-2 * log(t) / t);
        x *= factor;
        y *= factor;
        part[0] += x;
        part[1] += y;
        part[2 + (int)fmax(fabs(x), fabs(y))] += 1;
    }
}

int RCCE_APP(int argc, char **argv)
{
    int class = 0;

    RCCE_init(&argc, &argv);
    char name = npb_class(argc, argv, "SWAB");
    if (!name)
        return 64;
    while (classes[class].name != name)
        class++;
    int pairs = 1 << classes[class].log_pairs;
    int cores = RCCE_num_ues(), me = RCCE_ue();
    RCCE_barrier(&RCCE_COMM_WORLD);
    double start = RCCE_wtime();
    count_pairs(npb_first(pairs, cores, me), npb_first(pairs, cores, me + 1));
    RCCE_coll_allreduce((char *)part, (char *)total, 2 + ANNULI, RCCE_DOUBLE,
                        RCCE_SUM, RCCE_COMM_WORLD);
    double seconds = RCCE_wtime() - start;
    bool right = npb_is_close(total[0], classes[class].sum_x, 1e-8) &&
                 npb_is_close(total[1], classes[class].sum_y, 1e-8);
    int code = npb_report("EP", name, pairs, seconds, right);
    RCCE_finalize();
    return code;
}
