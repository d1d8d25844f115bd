/*
 * LU: the steady flow of a gas by symmetric successive over-relaxation
 * [npb-1994, section 4.7.3]. Lower and upper triangles are solved plane by
 * plane; cores that share a plane follow each other like a wave.
 */
#include "RCCE.h"
#include "lu.h"

static const struct npb_fluid_class classes[] = {
    {'S',
     12,
     50,
     0.5,
     {1.6196343210976702e-02, 2.1976745164821318e-03, 1.5179927653399185e-03,
      1.5029584435994323e-03, 3.4264073155896461e-02},
     {6.4223319957960924e-04, 8.4144342047347926e-05, 5.8588269616485186e-05,
      5.8474222595157350e-05, 1.3103347914111294e-03},
     7.8418928865937083},
    {'W',
     33,
     300,
     1.5e-3,
     {0.1236511638192e+02, 0.1317228477799e+01, 0.2550120713095e+01,
      0.2326187750252e+01, 0.2826799444189e+02},
     {0.4867877144216, 0.5064652880982e-01, 0.9281818101960e-01,
      0.8570126542733e-01, 0.1084277417792e+01},
     0.1161399311023e+02},
    {'A',
     64,
     250,
     2,
     {7.7902107606689367e+02, 6.3402765259692870e+01, 1.9499249727292479e+02,
      1.7845301160418537e+02, 1.8384760349464247e+03},
     {2.9964085685471943e+01, 2.8194576365003349, 7.3473412698774742,
      6.7139225687777051, 7.0715315688392578e+01},
     2.6030925604886277e+01},
    {'B',
     102,
     250,
     2,
     {3.5532672969982736e+03, 2.6214750795310692e+02, 8.8333721850952190e+02,
      7.7812774739425265e+02, 7.3087969592545314e+03},
     {1.1401176380212709e+02, 8.1098963655421574, 2.8480597317698308e+01,
      2.5905394567832939e+01, 2.6054907504857413e+02},
     4.7887162703308227e+01},
};

static void relax(void)
{
    double factor = 1 / (OMEGA * (2 - OMEGA));
    int last = grid.points - 1;

    for (int k = 1; k < last; k++)
        for (int j = grid.low[1]; j < grid.high[1]; j++)
            for (int i = grid.low[0]; i < grid.high[0]; i++)
                for (int m = 0; m < 5; m++)
                    rsd[at(k, j, i)][m] *= grid.step;
    for (int k = 1; k < last; k++)
        lu_lower(k);
    for (int k = last - 1; k > 0; k--)
        lu_upper(k);
    for (int k = 1; k < last; k++)
        for (int j = grid.low[1]; j < grid.high[1]; j++)
            for (int i = grid.low[0]; i < grid.high[0]; i++)
                for (int m = 0; m < 5; m++)
                    u[at(k, j, i)][m] += factor * rsd[at(k, j, i)][m];
    lu_exchange();
    lu_right_hand_side();
}

/* As the benchmark counts. */
static double operations(double n, int iterations)
{
    return iterations *
           (1984.77 * n * n * n - 10923.3 * n * n + 27770.9 * n - 144010.0);
}

static const struct npb_fluid_program program = {
    .name = "LU",
    .classes = classes,
    .step = &grid.step,
    .split = lu_split,
    .allocate = lu_allocate,
    .set_forcing = lu_set_forcing,
    .start = lu_start,
    .iterate = relax,
    .residual = lu_residual,
    .error = lu_error,
    .surface = lu_surface,
    .operations = operations,
};

int RCCE_APP(int argc, char **argv)
{
    return npb_fluid_run(&program, argc, argv);
}
