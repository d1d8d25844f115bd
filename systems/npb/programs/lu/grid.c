/*
 * The split of the grid over a power of two of cores, and what neighbours
 * send each other.
 */
#include "RCCE.h"
#include "lu.h"
#include "npb.h"

#include <stdlib.h>
#include <string.h>

_Alignas(16) struct lu_grid grid;
npb_point *u, *rsd, *frct, *flux;
npb_block *block_z, *block_y, *block_x, *block_d;

/* Points of one message, and how many layers of neighbours a message has. */
static npb_point *message;
static int layers;

const char *lu_split(int points, int cores, int me)
{
    if (cores & (cores - 1))
        return "the number of cores must be a power of two";
    grid.points = points;
    grid.side[0] = grid.side[1] = 1;
    for (int a = 1; grid.side[0] * grid.side[1] < cores; a ^= 1)
        grid.side[a] *= 2;
    grid.place[0] = me % grid.side[0];
    grid.place[1] = me / grid.side[0];
    layers = GHOSTS;
    for (int a = 0; a < 2; a++) {
        int first = npb_first(points, grid.side[a], grid.place[a]);
        int end = npb_first(points, grid.side[a], grid.place[a] + 1);
        if (points / grid.side[a] == 0)
            return "the grid has not enough points for so many cores";
        if (points / grid.side[a] < GHOSTS)
            layers = 1;
        grid.first[a] = first;
        grid.count[a] = end - first;
        grid.low[a] = first == 0;
        grid.high[a] = end - first - (end == points);
    }
    grid.row = grid.count[0] + 2 * GHOSTS;
    grid.plane = grid.row * (grid.count[1] + 2 * GHOSTS);
    grid.spacing = 1.0 / (points - 1);
    return 0;
}

bool lu_allocate(void)
{
    size_t all = (size_t)grid.points * (size_t)grid.plane;
    size_t inner = (size_t)grid.count[0] * (size_t)grid.count[1];
    int longest = grid.count[grid.count[1] > grid.count[0]];
    size_t face = (size_t)(GHOSTS * longest * grid.points);
    npb_point **points[] = {&u, &rsd, &frct, &flux};
    npb_block **blocks[] = {&block_z, &block_y, &block_x, &block_d};

    for (int a = 0; a < 4; a++) {
        *points[a] = calloc(all, sizeof(npb_point));
        *blocks[a] = calloc(inner, sizeof(npb_block));
        if (!*points[a] || !*blocks[a])
            return false;
    }
    message = calloc(face, sizeof(npb_point));
    return message;
}

/* The core that is `way` further along x (0) or y (1); -1 at the side. */
static int neighbour(int axis, int way)
{
    int place = grid.place[axis] + way;

    if (place < 0 || place >= grid.side[axis])
        return -1;
    return RCCE_ue() + way * (axis == 0 ? 1 : grid.side[0]);
}

/* Copies the planes' points [from, from + width) along x or y into the
 * message, or from it. The number of points. */
static int pack(npb_point *array, int axis, int from, int width, int k, int end,
                bool out)
{
    int start[2] = {0, 0}, stop[2] = {grid.count[0], grid.count[1]}, n = 0;

    start[axis] = from;
    stop[axis] = from + width;
    for (; k < end; k++)
        for (int j = start[1]; j < stop[1]; j++) {
            npb_point *row = array + at(k, j, start[0]);
            size_t bytes = (size_t)(stop[0] - start[0]) * sizeof(npb_point);
            if (out)
                memcpy(message + n, row, bytes);
            else
                memcpy(row, message + n, bytes);
            n += stop[0] - start[0];
        }
    return n;
}

static void send(npb_point *array, int axis, int from, int width, int k,
                 int end, int core)
{
    if (core < 0)
        return;
    int n = pack(array, axis, from, width, k, end, true);
    RCCE_send((char *)message, (size_t)n * sizeof(npb_point), core);
}

static void receive(npb_point *array, int axis, int from, int width, int k,
                    int end, int core)
{
    if (core < 0)
        return;
    int across = axis == 0 ? grid.count[1] : grid.count[0];
    int n = width * across * (end - k);
    RCCE_recv((char *)message, (size_t)n * sizeof(npb_point), core);
    pack(array, axis, from, width, k, end, false);
}

/* One layer or both of `u`; cores at even places send first. */
static void exchange(int axis, int width, int layer)
{
    int count = grid.count[axis], n = grid.points;
    int even = grid.place[axis] % 2 == 0 ? 1 : -1;

    for (int turn = 0; turn < 4; turn++) {
        /* Even: to the next, from it, to the one before, from it. Odd: from
         * the one before, to it, from the next, to it. */
        int way = turn < 2 ? even : -even;
        int core = neighbour(axis, way);
        if ((turn % 2 == 0) == (even == 1)) {
            int from = way < 0 ? layer : count - layer - width;
            send(u, axis, from, width, 0, n, core);
        } else {
            int from = way < 0 ? -layer - width : count + layer;
            receive(u, axis, from, width, 0, n, core);
        }
    }
}

void lu_exchange(void)
{
    for (int axis = 0; axis < 2; axis++)
        for (int layer = 0; layer < GHOSTS; layer += layers)
            exchange(axis, layers, layer);
}

void lu_receive_edges(int k, int way)
{
    for (int axis = 0; axis < 2; axis++) {
        int from = way < 0 ? -1 : grid.count[axis];
        receive(rsd, axis, from, 1, k, k + 1, neighbour(axis, way));
    }
}

void lu_send_edges(int k, int way)
{
    for (int axis = 0; axis < 2; axis++) {
        int from = way < 0 ? grid.count[axis] - 1 : 0;
        send(rsd, axis, from, 1, k, k + 1, neighbour(axis, -way));
    }
}
