/*
 * bt STEPS [NORM ...]: solves, prints how far the unknowns are from the exact
 * solution, and verifies against the norms that another run printed.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "RCCE.h"
#include "bt.h"

#define EPSILON 1.0e-10

static void add(void)
{
    int cell, x, y, z, m;

    for (cell = 0; cell < q; cell++)
        for (x = 1; x <= side; x++)
            for (y = 1; y <= side; y++)
                for (z = 1; z <= side; z++)
                    for (m = 0; m < M; m++)
                        u[cell][x][y][z][m] += rhs[cell][x][y][z][m];
}

int RCCE_APP(int argc, char **argv)
{
    int step, steps, d, m, me, wrong = 0;
    double before, norms[M];

    RCCE_init(&argc, &argv);
    me = RCCE_ue();
    exchange_start(me);
    if (q * q != RCCE_num_ues() || q > MAXQ || argc < 2) {
        if (me == 0)
            printf("bt: 1, 4, 9 or 16 UEs, and the number of steps\n");
        RCCE_finalize();
        return 1;
    }
    steps = atoi(*++argv);
    argc--;
    set_up();
    before = norm(u, exact, 0);
    for (step = 0; step < steps; step++) {
        copy_faces(u);
        compute_rhs(u);
        for (d = 0; d < 3; d++)
            sweep(d);
        add();
    }
    for (m = 0; m < M; m++) {
        norms[m] = norm(u, exact, m);
        if (me == 0)
            printf(" %.13e", norms[m]);
    }
    for (m = 0; m < M && m + 1 < argc; m++)
        wrong += !(fabs(norms[m] / atof(argv[m + 1]) - 1.0) <= EPSILON);
    if (me == 0)
        printf("\nbt: %s, %s\n",
               norms[0] < before ? "nearer than before" : "NOT NEARER",
               argc == 1 ? "not verified"
               : wrong   ? "VERIFICATION FAILED"
                         : "VERIFICATION SUCCESSFUL");
    RCCE_finalize();
    return 0;
}
