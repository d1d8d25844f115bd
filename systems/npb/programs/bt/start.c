/*
 * What the iterations start from, and what they are judged by.
 */
#include "RCCE.h"
#include "RCCE_collectives.h"
#include "bt.h"

#include <math.h>
#include <string.h>

/* Calls `visit` for all points of the core, or those inside of the cube. */
static void visit_points(bool inside,
                         void (*visit)(struct bt_cell *, int p, double x,
                                       double y, double z))
{
    for (int c = 0; c < grid.side; c++) {
        struct bt_cell *cell = cells + c;
        const int *first = cell->first;
        int low[3] = {0, 0, 0}, high[3];
        memcpy(high, cell->size, sizeof high);
        if (inside) {
            memcpy(low, cell->low, sizeof low);
            memcpy(high, cell->high, sizeof high);
        }
        for (int k = low[2]; k < high[2]; k++)
            for (int j = low[1]; j < high[1]; j++)
                for (int i = low[0]; i < high[0]; i++)
                    visit(cell, at(cell, k, j, i),
                          (first[0] + i) * grid.spacing,
                          (first[1] + j) * grid.spacing,
                          (first[2] + k) * grid.spacing);
    }
}

static void set_exact(struct bt_cell *cell, int p, double x, double y, double z)
{
    npb_exact(x, y, z, cell->u[p]);
}

static void take_forcing(struct bt_cell *cell, int p, double x, double y,
                         double z)
{
    (void)x, (void)y, (void)z;
    for (int m = 0; m < 5; m++)
        cell->forcing[p][m] = -cell->rhs[p][m] / grid.step;
}

static void set_initial(struct bt_cell *cell, int p, double x, double y,
                        double z)
{
    npb_initial(x, y, z, cell->u[p]);
}

/* The forcing term is what the exact solution leaves without it. */
void bt_set_forcing(void)
{
    visit_points(false, set_exact);
    bt_exchange();
    bt_right_hand_side();
    visit_points(false, take_forcing);
}

void bt_start(void)
{
    visit_points(false, set_initial);
}

static npb_point squares;

static void add_residual(struct bt_cell *cell, int p, double x, double y,
                         double z)
{
    (void)x, (void)y, (void)z;
    for (int m = 0; m < 5; m++) {
        double value = cell->rhs[p][m] / grid.step;
        squares[m] += value * value;
    }
}

static void add_error(struct bt_cell *cell, int p, double x, double y, double z)
{
    npb_point exact;

    npb_exact(x, y, z, exact);
    for (int m = 0; m < 5; m++) {
        double value = cell->u[p][m] - exact[m];
        squares[m] += value * value;
    }
}

static void norm_of_squares(npb_point norm)
{
    double count = pow(grid.points - 2, 3);

    RCCE_coll_allreduce((char *)squares, (char *)norm, 5, RCCE_DOUBLE, RCCE_SUM,
                        RCCE_COMM_WORLD);
    for (int m = 0; m < 5; m++)
        norm[m] = sqrt(norm[m] / count);
}

void bt_residual(npb_point norm)
{
    bt_exchange();
    bt_right_hand_side();
    memset(squares, 0, sizeof squares);
    visit_points(true, add_residual);
    norm_of_squares(norm);
}

void bt_error(npb_point norm)
{
    memset(squares, 0, sizeof squares);
    visit_points(false, add_error);
    norm_of_squares(norm);
}
