/*
 * filt.c: 127 kB a message: filters over each plane of a picture: a Gaussian
 * of 5 by 5, a median of 3 by 3, and edges by Sobel. Static arrays are
 * scratch, as in hist.c.
 */
#include <string.h>

#include "farm.h"
#include "picture.h"

static uint8_t from[PICTURE_BYTES] __attribute__((aligned(8)));
static uint8_t to[PICTURE_BYTES] __attribute__((aligned(8)));

static uint8_t *at(uint8_t *picture, int x, int y)
{
    x = x < 0 ? 0 : x >= SIDE ? SIDE - 1 : x;
    y = y < 0 ? 0 : y >= SIDE ? SIDE - 1 : y;
    return &picture[(y * SIDE + x) * 3];
}

static void smooth_point(int x, int y, int colour)
{
    static const int weight[5] = {1, 4, 6, 4, 1};
    int total = 0;

    for (int j = 0; j < 5; j++)
        for (int i = 0; i < 5; i++)
            total +=
                weight[i] * weight[j] * at(from, x + i - 2, y + j - 2)[colour];
    at(to, x, y)[colour] = (uint8_t)(total / 256);
}

/* Sorted by insertion: the fifth of nine. */
static void median_point(int x, int y, int colour)
{
    static uint8_t near[9];
    int count = 0;

    for (int j = -1; j <= 1; j++)
        for (int i = -1; i <= 1; i++) {
            uint8_t value = at(from, x + i, y + j)[colour];
            int place = count++;

            while (place > 0 && near[place - 1] > value) {
                near[place] = near[place - 1];
                place--;
            }
            near[place] = value;
        }
    at(to, x, y)[colour] = near[4];
}

static void edge_point(int x, int y, int colour)
{
    int a = at(from, x - 1, y - 1)[colour], b = at(from, x, y - 1)[colour];
    int c = at(from, x + 1, y - 1)[colour], d = at(from, x - 1, y)[colour];
    int e = at(from, x + 1, y)[colour], f = at(from, x - 1, y + 1)[colour];
    int g = at(from, x, y + 1)[colour], h = at(from, x + 1, y + 1)[colour];
    int across = c + 2 * e + h - a - 2 * d - f;
    int down = f + 2 * g + h - a - 2 * b - c;
    int strength = (across < 0 ? -across : across) + (down < 0 ? -down : down);

    at(to, x, y)[colour] = (uint8_t)(strength > 255 ? 255 : strength);
}

static void over_all(void (*point)(int x, int y, int colour))
{
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++)
            for (int colour = 0; colour < 3; colour++)
                point(x, y, colour);
    memcpy(from, to, sizeof from);
}

static void filter(void *data)
{
    farm_copy(from, data, sizeof from);
    over_all(smooth_point);
    over_all(median_point);
    over_all(edge_point);
    farm_copy(data, from, sizeof from);
}

/* How many points are edges. */
static uint32_t sum(const void *data)
{
    uint32_t edges = 0;

    farm_copy(to, data, sizeof to);
    for (int n = 0; n < PICTURE_BYTES; n++)
        edges += to[n] > 64;
    return edges;
}

static const struct farm filt = {
    .name = "filt",
    .bytes = (PICTURE_BYTES + 7) / 8 * 8,
    .private = 1,
    .stage = {{"filt", filter}},
    .fill = picture_fill,
    .sum = sum,
};

int main(int argc, char **argv)
{
    return farm_main(argc, argv, &filt);
}
