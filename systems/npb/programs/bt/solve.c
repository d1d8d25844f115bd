/*
 * Block-tridiagonal systems along the lines of one axis, by elimination
 * without pivots from one face of the cube to the other and substitution on
 * the way back, slab after slab.
 */
#include "bt.h"

#include <stdlib.h>
#include <string.h>

#define INLINE static inline __attribute__((always_inline))

/* One line's Jacobians (from the point before the cell on), and its blocks in
 * front of the diagonal and on it. */
static npb_block inviscid[MOST_POINTS + 2], viscous[MOST_POINTS + 2];
static npb_block front[MOST_POINTS], middle[MOST_POINTS];
static double *sent, *received;

bool bt_allocate_solve(void)
{
    size_t longest = (size_t)(grid.points / grid.side + 1);

    if (grid.side == 1)
        return true;
    sent = calloc(longest * longest * 30, sizeof(double));
    received = calloc(longest * longest * 30, sizeof(double));
    return sent && received;
}

/* Blocks lie as the original's do, in Fortran: each column in one piece. */

/* r -= a v */
INLINE void subtract_vector(const npb_block a, const npb_point v, double *r)
{
    for (int m = 0; m < 5; m++)
        r[m] = r[m] - a[0][m] * v[0] - a[1][m] * v[1] - a[2][m] * v[2] -
               a[3][m] * v[3] - a[4][m] * v[4];
}

/* r -= a b */
INLINE void subtract_product(const npb_block a, const npb_block b, npb_block r)
{
    for (int m = 0; m < 5; m++)
        for (int l = 0; l < 5; l++)
            r[l][m] = r[l][m] - a[0][m] * b[l][0] - a[1][m] * b[l][1] -
                      a[2][m] * b[l][2] - a[3][m] * b[l][3] - a[4][m] * b[l][4];
}

/* c = b^-1 c and r = b^-1 r; b is used up. Without `with_c`, r alone. */
INLINE void eliminate(npb_block b, npb_block c, double *r, bool with_c)
{
    for (int p = 0; p < 5; p++) {
        double pivot = 1 / b[p][p];
        for (int l = p + 1; l < 5; l++)
            b[l][p] *= pivot;
        for (int l = 0; l < 5 && with_c; l++)
            c[l][p] *= pivot;
        r[p] *= pivot;
        for (int m = 0; m < 5; m++) {
            if (m == p)
                continue;
            double factor = b[p][m];
            for (int l = p + 1; l < 5; l++)
                b[l][m] -= factor * b[l][p];
            for (int l = 0; l < 5 && with_c; l++)
                c[l][m] -= factor * c[l][p];
            r[m] -= factor * r[p];
        }
    }
}

/* The three blocks of a point inside of the cube. */
INLINE void make_blocks(npb_block a, npb_block b, npb_block c, int i, int axis)
{
    double first = grid.step * 0.5 / grid.spacing;
    double second = grid.step / (grid.spacing * grid.spacing);
    double diffusion = second * npb_diffusion(1 + axis);

    for (int m = 0; m < 5; m++)
        for (int l = 0; l < 5; l++) {
            double own = m == l ? diffusion : 0;
            a[l][m] =
                -first * inviscid[i][m][l] - second * viscous[i][m][l] - own;
            b[l][m] =
                2 * second * viscous[i + 1][m][l] + (m == l ? 1 : 0) + 2 * own;
            c[l][m] = first * inviscid[i + 2][m][l] -
                      second * viscous[i + 2][m][l] - own;
        }
}

/* All blocks of a line; a point on the cube's face stays as it is. */
INLINE void make_line(struct bt_cell *cell, int start, int s, int axis)
{
    int size = cell->size[axis];

    for (int i = cell->low[axis] - 1; i <= cell->high[axis]; i++) {
        int p = start + i * s;
        npb_jacobians(inviscid[i + 1], viscous[i + 1], cell->u[p],
                      cell->rho_i[p], cell->qs[p], 1 + axis);
    }
    for (int i = cell->low[axis]; i < cell->high[axis]; i++)
        make_blocks(front[i], middle[i], cell->c[start + i * s], i, axis);
    for (int end = 0; end < 2; end++) {
        int i = end ? size - 1 : 0;
        if (i >= cell->low[axis] && i < cell->high[axis])
            continue;
        memset(front[i], 0, sizeof front[i]);
        memset(middle[i], 0, sizeof middle[i]);
        memset(cell->c[start + i * s], 0, sizeof(npb_block));
        for (int m = 0; m < 5; m++)
            middle[i][m][m] = 1;
    }
}

INLINE void eliminate_line(struct bt_cell *cell, int start, int s, int axis)
{
    int size = cell->size[axis];
    bool is_last = cell->slab[axis] == grid.side - 1;

    make_line(cell, start, s, axis);
    for (int i = 0; i < size; i++) {
        int p = start + i * s;
        if (i > 0 || cell->slab[axis] > 0) {
            subtract_vector(front[i], cell->rhs[p - s], cell->rhs[p]);
            subtract_product(front[i], cell->c[p - s], middle[i]);
        }
        if (is_last && i == size - 1)
            eliminate(middle[i], 0, cell->rhs[p], false);
        else
            eliminate(middle[i], cell->c[p], cell->rhs[p], true);
    }
}

INLINE void substitute_line(struct bt_cell *cell, int start, int s, int axis)
{
    bool is_last = cell->slab[axis] == grid.side - 1;

    for (int i = cell->size[axis] - 1 - is_last; i >= 0; i--) {
        int p = start + i * s;
        subtract_vector(cell->c[p], cell->rhs[p + s], cell->rhs[p]);
    }
}

enum work { ELIMINATE, SUBSTITUTE, PACK_C, UNPACK_C, PACK_RHS, UNPACK_RHS };

/* Copies a point's right-hand side, and the block with it, into a message or
 * from it; returns how many numbers. */
static int copy(struct bt_cell *cell, double *message, int p, enum work work)
{
    bool out = work == PACK_C || work == PACK_RHS;
    double *parts[] = {cell->rhs[p], cell->c[p][0]};
    const int counts[] = {5, 25};
    int n = 0;

    for (int a = 0; a < (work == PACK_C || work == UNPACK_C ? 2 : 1); a++) {
        size_t bytes = (size_t)counts[a] * sizeof(double);
        if (out)
            memcpy(message + n, parts[a], bytes);
        else
            memcpy(parts[a], message + n, bytes);
        n += counts[a];
    }
    return n;
}

/* Walks the lines of a cell; returns how many numbers were copied. */
INLINE int walk(struct bt_cell *cell, int axis, enum work work)
{
    int a = axis == 0 ? 1 : 0, b = axis == 2 ? 1 : 2, n = 0;
    int s = stride(cell, axis), size = cell->size[axis];

    for (int y = cell->low[b]; y < cell->high[b]; y++)
        for (int x = cell->low[a]; x < cell->high[a]; x++) {
            int start =
                at(cell, 0, 0, 0) + x * stride(cell, a) + y * stride(cell, b);
            if (work == ELIMINATE)
                eliminate_line(cell, start, s, axis);
            else if (work == SUBSTITUTE)
                substitute_line(cell, start, s, axis);
            else if (work == PACK_C)
                n += copy(cell, sent + n, start + (size - 1) * s, work);
            else if (work == UNPACK_C)
                n += copy(cell, received + n, start - s, work);
            else if (work == PACK_RHS)
                n += copy(cell, sent + n, start, work);
            else
                n += copy(cell, received + n, start + size * s, work);
        }
    return n;
}

static int lines(const struct bt_cell *cell, int axis)
{
    int a = (axis + 1) % 3, b = (axis + 2) % 3;

    return (cell->high[a] - cell->low[a]) * (cell->high[b] - cell->low[b]);
}

/* Between two slabs: the one's last values become the other's first. */
INLINE void pass(int axis, int slab, int way)
{
    struct bt_cell *done = cells + grid.cell_in[axis][slab];
    struct bt_cell *next = cells + grid.cell_in[axis][slab + way];
    int each = way > 0 ? 30 : 5;

    int n = walk(done, axis, way > 0 ? PACK_C : PACK_RHS);
    bt_shift(sent, n, way > 0 ? grid.behind[axis] : grid.before[axis], received,
             each * lines(next, axis),
             way > 0 ? grid.before[axis] : grid.behind[axis],
             grid.turn[axis] % 2 == 0);
    walk(next, axis, way > 0 ? UNPACK_C : UNPACK_RHS);
}

INLINE void solve(int axis)
{
    int last = grid.side - 1;

    for (int slab = 0; slab <= last; slab++) {
        walk(cells + grid.cell_in[axis][slab], axis, ELIMINATE);
        if (slab < last)
            pass(axis, slab, 1);
    }
    for (int slab = last; slab >= 0; slab--) {
        walk(cells + grid.cell_in[axis][slab], axis, SUBSTITUTE);
        if (slab > 0)
            pass(axis, slab, -1);
    }
}

void bt_solve(int axis)
{
    if (axis == 0)
        solve(0);
    else if (axis == 1)
        solve(1);
    else
        solve(2);
}
