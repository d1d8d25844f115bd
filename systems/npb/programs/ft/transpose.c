/*
 * The exchange between planes and lines of z.
 */
#include "RCCE.h"
#include "ft.h"

#include <string.h>

/* Every core sends every other one a part of `from`, and gets one of `to`. */
static void exchange_parts(complex_number *from, complex_number *to)
{
    int part = grid.count / grid.cores;
    size_t bytes = (size_t)part * sizeof *from;

    memcpy(to + grid.me * part, from + grid.me * part, bytes);
    for (int step = 1; step < grid.cores; step++) {
        int partner = grid.me ^ step;
        if (grid.me < partner)
            RCCE_send((char *)(from + partner * part), bytes, partner);
        RCCE_recv((char *)(to + partner * part), bytes, partner);
        if (grid.me > partner)
            RCCE_send((char *)(from + partner * part), bytes, partner);
    }
}

/* Blocks of `high` by `wide` numbers are turned, each by itself. A few at a
 * time, as a cache line has two of them. */
static void turn(const complex_number *from, complex_number *to, int high,
                 int wide, int from_row, int to_row)
{
    for (int a = 0; a < wide; a += 2)
        for (int b = 0; b < high; b++) {
            to[a * to_row + b] = from[b * from_row + a];
            to[(a + 1) * to_row + b] = from[b * from_row + a + 1];
        }
}

/* From planes to lines of z, or back. Core c has the lines from c * lines. */
void ft_planes_to_lines(complex_number *from, complex_number *to)
{
    for (int core = 0; core < grid.cores; core++)
        for (int k = 0; k < grid.planes; k++)
            memcpy(to + (core * grid.planes + k) * grid.lines,
                   from + k * grid.nx * grid.ny + core * grid.lines,
                   (size_t)grid.lines * sizeof *to);
    exchange_parts(to, from);
    turn(from, to, grid.nz, grid.lines, grid.lines, grid.nz);
}

void ft_lines_to_planes(complex_number *from, complex_number *to)
{
    turn(from, to, grid.lines, grid.nz, grid.nz, grid.lines);
    exchange_parts(to, from);
    for (int core = 0; core < grid.cores; core++)
        for (int k = 0; k < grid.planes; k++)
            memcpy(to + k * grid.nx * grid.ny + core * grid.lines,
                   from + (core * grid.planes + k) * grid.lines,
                   (size_t)grid.lines * sizeof *to);
}
