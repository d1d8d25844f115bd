/*
 * BT: the steady flow of a gas by an alternating direction implicit scheme
 * [npb-1994, section 4.7.1]: along each axis in turn block-tridiagonal
 * systems are solved.
 */
#include "RCCE.h"
#include "bt.h"

static const struct npb_fluid_class classes[] = {
    {'S',
     12,
     60,
     0.01,
     {1.7034283709541311e-01, 1.2975252070034097e-02, 3.2527926989486055e-02,
      2.6436421275166801e-02, 1.9211784131744430e-01},
     {4.9976913345811579e-04, 4.5195666782961927e-05, 7.3973765172921357e-05,
      7.3821238632439731e-05, 8.9269630987491446e-04}},
    {'W',
     24,
     200,
     0.8e-3,
     {0.1125590409344e+03, 0.1180007595731e+02, 0.2710329767846e+02,
      0.2469174937669e+02, 0.2638427874317e+03},
     {0.4419655736008e+01, 0.4638531260002, 0.1011551749967e+01,
      0.9235878729944, 0.1018045837718e+02}},
    {'A',
     64,
     200,
     0.8e-3,
     {1.0806346714637264e+02, 1.1319730901220813e+01, 2.5974354511582465e+01,
      2.3665622544678910e+01, 2.5278963211748344e+02},
     {4.2348416040525025, 4.4390282496995698e-01, 9.6692480136345650e-01,
      8.8302063039765474e-01, 9.7379901770829278}},
    {'B',
     102,
     200,
     3e-4,
     {1.4233597229287254e+03, 9.9330522590150238e+01, 3.5646025644535285e+02,
      3.2485447959084092e+02, 3.2707541254659363e+03},
     {5.2969847140936856e+01, 4.4632896115670668, 1.3122573342210174e+01,
      1.2006925323559144e+01, 1.2459576151035986e+02}},
};

static void iterate(void)
{
    bt_exchange();
    bt_right_hand_side();
    for (int axis = 0; axis < 3; axis++)
        bt_solve(axis);
    for (int c = 0; c < grid.side; c++) {
        struct bt_cell *cell = cells + c;
        const int *low = cell->low, *high = cell->high;
        for (int k = low[2]; k < high[2]; k++)
            for (int j = low[1]; j < high[1]; j++) {
                int p = at(cell, k, j, low[0]);
                for (int i = low[0]; i < high[0]; i++, p++)
                    for (int m = 0; m < 5; m++)
                        cell->u[p][m] += cell->rhs[p][m];
            }
    }
}

/* As the benchmark counts. */
static double operations(double n, int iterations)
{
    return iterations * (3478.8 * n * n * n - 17655.7 * n * n + 28023.7 * n);
}

static const struct npb_fluid_program program = {
    .name = "BT",
    .classes = classes,
    .step = &grid.step,
    .split = bt_split,
    .allocate = bt_allocate,
    .set_forcing = bt_set_forcing,
    .start = bt_start,
    .iterate = iterate,
    .residual = bt_residual,
    .error = bt_error,
    .operations = operations,
};

int RCCE_APP(int argc, char **argv)
{
    return npb_fluid_run(&program, argc, argv);
}
