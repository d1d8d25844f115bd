/*
 * Sizes of a core's part of a grid, and what neighbours send each other.
 */
#include "RCCE.h"
#include "mg.h"

#include <string.h>

size_t mg_plane(const struct level *level)
{
    return (size_t)(level->n + 2) * (size_t)(level->n + 2);
}

size_t mg_numbers(const struct level *level)
{
    return mg_plane(level) * (size_t)(level->planes + 2);
}

/* Planes of the cores above and below; the grid is periodic. */
static void exchange_planes(const struct level *level, double *array)
{
    size_t bytes = mg_plane(level) * sizeof(double);
    char *low = (char *)(row(level, array, 0, -1) - 1);
    char *high = low + (size_t)(level->planes - 1) * bytes;
    int above = (me + 1) % cores, below = (me + cores - 1) % cores;

    if (level->shared || cores == 1) {
        memcpy(low - bytes, high, bytes);
        memcpy(high + bytes, low, bytes);
    } else if (me % 2 == 0) {
        RCCE_send(high, bytes, above);
        RCCE_recv(low - bytes, bytes, below);
        RCCE_send(low, bytes, below);
        RCCE_recv(high + bytes, bytes, above);
    } else {
        RCCE_recv(low - bytes, bytes, below);
        RCCE_send(high, bytes, above);
        RCCE_recv(high + bytes, bytes, above);
        RCCE_send(low, bytes, below);
    }
}

void mg_exchange(const struct level *level, double *array)
{
    int n = level->n;
    size_t bytes = (size_t)(n + 2) * sizeof(double);

    for (int k = 0; k < level->planes; k++) {
        for (int j = 0; j < n; j++) {
            double *line = row(level, array, k, j);
            line[-1] = line[n - 1];
            line[n] = line[0];
        }
        memcpy(row(level, array, k, -1) - 1, row(level, array, k, n - 1) - 1,
               bytes);
        memcpy(row(level, array, k, n) - 1, row(level, array, k, 0) - 1, bytes);
    }
    exchange_planes(level, array);
}
