/*
 * hist.c: 127 kB a message: histograms of a colour picture. `split` copies
 * the planes apart in place; calHist counts colours as the eye separates them
 * apart (CIE L*a*b*, 16 x 8 x 8 classes) and writes the counts over the
 * picture. Static arrays are scratch: nothing else runs on the core between
 * two calls of LPEL.
 */
#include <math.h>
#include <string.h>

#include "farm.h"
#include "picture.h"

#define LIGHT 16
#define HUE 8
#define CLASSES (LIGHT * HUE * HUE)

static uint8_t picture[PICTURE_BYTES] __attribute__((aligned(8)));
static uint8_t planes[PICTURE_BYTES] __attribute__((aligned(8)));
static uint32_t counts[CLASSES] __attribute__((aligned(8)));
static float linear[256];

static void split_planes(void *data)
{
    farm_copy(picture, data, sizeof picture);
    for (int n = 0; n < POINTS; n++)
        for (int colour = 0; colour < 3; colour++)
            planes[colour * POINTS + n] = picture[3 * n + colour];
    farm_copy(data, planes, sizeof planes);
}

/* sRGB's curve. */
static void make_linear(void)
{
    if (linear[255] > 0)
        return;
    for (int n = 0; n < 256; n++) {
        float part = (float)n / 255;

        linear[n] = part <= 0.04045f ? part / 12.92f
                                     : powf((part + 0.055f) / 1.055f, 2.4f);
    }
}

static float f(float t)
{
    return t > 0.008856f ? cbrtf(t) : 7.787f * t + 0.13793f;
}

static int class_of(float value, float low, float high, int classes)
{
    int at = (int)((value - low) / (high - low) * (float)classes);

    return at < 0 ? 0 : at >= classes ? classes - 1 : at;
}

static int colour_class(int n)
{
    float r = linear[planes[n]], g = linear[planes[POINTS + n]];
    float b = linear[planes[2 * POINTS + n]];
    float x = f((0.4124f * r + 0.3576f * g + 0.1805f * b) / 0.9505f);
    float y = f(0.2126f * r + 0.7152f * g + 0.0722f * b);
    float z = f((0.0193f * r + 0.1192f * g + 0.9505f * b) / 1.089f);
    int light = class_of(116 * y - 16, 0, 100, LIGHT);
    int red = class_of(500 * (x - y), -100, 100, HUE);
    int yellow = class_of(200 * (y - z), -100, 100, HUE);

    return (light * HUE + red) * HUE + yellow;
}

static void count_colours(void)
{
    for (int n = 0; n < POINTS; n++)
        counts[colour_class(n)]++;
}

static void histogram(void *data)
{
    make_linear();
    farm_copy(planes, data, sizeof planes);
    memset(counts, 0, sizeof counts);
    count_colours();
    farm_copy(data, counts, sizeof counts);
}

/* All points are counted: the sum of all, and which class is fullest. */
static uint32_t sum(const void *data)
{
    uint32_t all = 0, fullest = 0;

    farm_copy(counts, data, sizeof counts);
    for (uint32_t n = 0; n < CLASSES; n++) {
        all += counts[n];
        if (counts[n] > counts[fullest])
            fullest = n;
    }
    return all == POINTS ? fullest : 1000000;
}

static const struct farm hist = {
    .name = "hist",
    .bytes = (PICTURE_BYTES + 7) / 8 * 8,
    .private = 1,
    .stage = {{"split", split_planes}, {"calHist", histogram}},
    .fill = picture_fill,
    .sum = sum,
};

int main(int argc, char **argv)
{
    return farm_main(argc, argv, &hist);
}
