/*
 * The right-hand side: charges at random places.
 */
#include "RCCE.h"
#include "RCCE_collectives.h"
#include "mg.h"
#include "npb.h"

#include <stdlib.h>

#define SEED 314159265ull
#define CHARGES 10

/* The highest (sign 1) or lowest numbers of a sequence, in order. */
struct extremes {
    double value[CHARGES];
    uint64_t place[CHARGES];
};

static void note(struct extremes *found, double sign, double value,
                 uint64_t place)
{
    int i = CHARGES - 1;

    if (sign * value <= sign * found->value[i])
        return;
    for (; i > 0 && sign * value > sign * found->value[i - 1]; i--) {
        found->value[i] = found->value[i - 1];
        found->place[i] = found->place[i - 1];
    }
    found->value[i] = value;
    found->place[i] = place;
}

/* The right-hand side: 1 at the places of the ten highest random numbers and
 * -1 at those of the lowest. Every core looks through its planes; all then
 * look through what was found. */
void mg_set_charges(double sign)
{
    uint64_t n = (uint64_t)top->n, from = (uint64_t)top->first * n * n;
    uint64_t end = from + (uint64_t)top->planes * n * n;
    uint64_t state = npb_jump(SEED, from);
    struct extremes mine, best, *all = malloc((size_t)cores * sizeof *all);

    for (int i = 0; i < CHARGES; i++)
        mine.value[i] = best.value[i] = sign > 0 ? 0 : 1;
    for (uint64_t place = from; place < end; place++)
        note(&mine, sign, npb_random(&state), place);
    RCCE_coll_gather((char *)&mine, (char *)all, sizeof mine, 0,
                     RCCE_COMM_WORLD);
    for (int core = 0; me == 0 && core < cores; core++)
        for (int i = 0; i < CHARGES; i++)
            note(&best, sign, all[core].value[i], all[core].place[i]);
    RCCE_coll_bcast((char *)&best, sizeof best, 0, RCCE_COMM_WORLD);
    for (int i = 0; i < CHARGES; i++) {
        uint64_t place = best.place[i];
        if (place < from || place >= end)
            continue;
        int k = (int)(place / (n * n)) - top->first;
        row(top, v, k, (int)(place / n % n))[place % n] = sign;
    }
    free(all);
}
