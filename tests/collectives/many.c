// More members than the SCC has: counts of signals begin anew with each job, and a buffer that has
// less than a line for each member takes the simple way.
// cc: -O2 -lrcce
// run: --chip scc-512 -n 200 --tag none
// expect-stdout:
// job 1: 0 wrong sums, 0 wrong parts
// job 2: 0 wrong sums, 0 wrong parts
#include <stdio.h>
#include <stdlib.h>

#include "RCCE.h"
#include "RCCE_collectives.h"

#define ROUNDS 4

static int wrong_sums(int me, int members)
{
    int found = 0;

    for (int n = 0; n < ROUNDS; n++) {
        int mine = (me + 1) * (n + 1), sum = 0;

        /* Another one comes late each time. */
        for (volatile int wait = 0; me % 7 == n % 7 && wait < 1000;)
            wait++;
        RCCE_coll_allreduce((char *)&mine, (char *)&sum, 1, RCCE_INT, RCCE_SUM,
                            RCCE_COMM_WORLD);
        found += sum != members * (members + 1) / 2 * (n + 1);
    }
    return found;
}

static int wrong_parts(int me, int members)
{
    int *all = calloc((size_t)members, sizeof *all), part = -1;

    for (int n = 0; n < members; n++)
        all[n] = 5 * n;
    RCCE_coll_scatter((char *)all, (char *)&part, sizeof part, 3,
                      RCCE_COMM_WORLD);
    free(all);
    return part != 5 * me;
}

int main(int argc, char **argv)
{
    for (int job = 1; job <= 2; job++) {
        int wrong[2], all[2] = {0};

        RCCE_init(&argc, &argv);
        wrong[0] = wrong_sums(RCCE_ue(), RCCE_num_ues());
        wrong[1] = wrong_parts(RCCE_ue(), RCCE_num_ues());
        /* A byte counts the signals of each partner. */
        for (int n = 0; n < 125; n++)
            RCCE_coll_barrier(&RCCE_COMM_WORLD);
        RCCE_reduce((char *)wrong, (char *)all, 2, RCCE_INT, RCCE_SUM, 0,
                    RCCE_COMM_WORLD);
        if (RCCE_ue() == 0)
            printf("job %d: %d wrong sums, %d wrong parts\n", job, all[0],
                   all[1]);
        RCCE_finalize();
    }
    return 0;
}
