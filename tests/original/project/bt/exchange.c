/* Who has which cell, and messages between neighbours in the square. */
#include "RCCE.h"
#include "bt.h"

int q, side, my_row, my_column;
static double out[MAXQ * N * N * M], in[MAXQ * N * N * M];

static int wrap(int n)
{
    return (n + q) % q;
}

int place_of(int cell, int d)
{
    return d == 0 ? cell : wrap((cell + (d == 1 ? my_row : my_column)) % q);
}

int cell_at(int place, int d)
{
    int cell;

    for (cell = 0; place_of(cell, d) != place; cell++)
        ;
    return cell;
}

double *at(field f, int cell, int d, int l, int a, int b)
{
    if (d == 0)
        return f[cell][l][a][b];
    return d == 1 ? f[cell][a][l][b] : f[cell][a][b][l];
}

void exchange_start(int me)
{
    for (q = 1; q * q < RCCE_num_ues(); q++)
        ;
    side = N / q;
    my_row = me / q;
    my_column = me % q;
}

/* The owner of the next (or last) cell along an axis is always the same. */
static int neighbour(int d, int step)
{
    if (d == 0)
        return wrap(my_row - step) * q + wrap(my_column - step);
    return d == 1 ? wrap(my_row + step) * q + my_column
                  : my_row * q + wrap(my_column + step);
}

/* Messages are synchronous: in a ring some must receive first. */
void shift(int d, int forward, double *out_data, double *in_data, int count)
{
    int to = neighbour(d, forward ? 1 : -1);
    int from = neighbour(d, forward ? -1 : 1);
    size_t bytes = (size_t)count * sizeof(double);

    if ((d == 2 ? my_column : my_row) % 2 == 0) {
        RCCE_send((char *)out_data, bytes, to);
        RCCE_recv((char *)in_data, bytes, from);
    } else {
        RCCE_recv((char *)in_data, bytes, from);
        RCCE_send((char *)out_data, bytes, to);
    }
}

/* Takes a layer of all cells but those at the cube's end from the field, or
 * puts it into the ghosts of their neighbours: the cells are in order. */
static void layer(field f, int d, int forward, double *buffer, int put)
{
    int place, a, b, m, n = 0;

    for (place = 0; place < q - 1; place++) {
        int to = forward ? place + 1 : place,
            from = forward ? place : place + 1;
        int cell = cell_at(put ? to : from, d);
        int l = put ? (forward ? 0 : side + 1) : (forward ? side : 1);
        for (a = 1; a <= side; a++)
            for (b = 1; b <= side; b++)
                for (m = 0; m < M; m++, n++)
                    if (put)
                        at(f, cell, d, l, a, b)[m] = buffer[n];
                    else
                        buffer[n] = at(f, cell, d, l, a, b)[m];
    }
}

void copy_faces(field f)
{
    int d, forward;

    for (d = 0; d < 3 && q > 1; d++)
        for (forward = 0; forward < 2; forward++) {
            layer(f, d, forward, out, 0);
            shift(d, forward, out, in, (q - 1) * side * side * M);
            layer(f, d, forward, in, 1);
        }
}
