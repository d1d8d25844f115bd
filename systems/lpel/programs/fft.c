/*
 * fft.c: 64 kB a message: a Fourier transform of 8,192 complex numbers, in
 * place in the message. initP brings them into bit-reversed order, stepP
 * makes the 13 steps.
 */
#include "farm.h"

#include <math.h>

#define POINTS 8192
#define BITS 13

struct complex {
    float re, im;
};

static struct complex twiddle[POINTS / 2];

static void make_twiddles(void)
{
    for (int n = 0; n < POINTS / 2; n++) {
        double angle = -2 * M_PI * n / POINTS;

        twiddle[n].re = (float)cos(angle);
        twiddle[n].im = (float)sin(angle);
    }
}

static uint32_t reversed(uint32_t n)
{
    uint32_t back = 0;

    for (int bit = 0; bit < BITS; bit++)
        back |= (n >> bit & 1) << (BITS - 1 - bit);
    return back;
}

static void init(void *data)
{
    struct complex *point = data;

    for (uint32_t n = 0; n < POINTS; n++) {
        uint32_t other = reversed(n);

        if (n < other) {
            struct complex kept = point[n];

            point[n] = point[other];
            point[other] = kept;
        }
    }
}

static void step(struct complex *point, int half)
{
    for (int from = 0; from < POINTS; from += 2 * half)
        for (int n = 0; n < half; n++) {
            struct complex w = twiddle[n * (POINTS / 2 / half)];
            struct complex *a = &point[from + n], *b = a + half;
            float re = b->re * w.re - b->im * w.im;
            float im = b->re * w.im + b->im * w.re;
            float a_re = a->re, a_im = a->im;

            b->re = a_re - re;
            b->im = a_im - im;
            a->re = a_re + re;
            a->im = a_im + im;
        }
}

static void steps(void *data)
{
    for (int half = 1; half < POINTS; half *= 2)
        step(data, half);
}

/* A tone of the message's number: its spectrum is one line. */
static void fill(void *data, uint32_t number)
{
    static struct complex tone[POINTS];

    for (uint32_t n = 0; n < POINTS; n++) {
        uint32_t at = n * (number + 1) % POINTS;
        struct complex w = twiddle[at % (POINTS / 2)];
        float sign = at < POINTS / 2 ? 1 : -1;

        tone[n] = (struct complex){sign * w.re, -sign * w.im};
    }
    farm_copy(data, tone, sizeof tone);
}

/* The line's place, if there is one line and it is as high as it must be. */
static uint32_t sum(const void *data)
{
    static struct complex line[POINTS];
    uint32_t found = 0;

    farm_copy(line, data, sizeof line);
    for (uint32_t n = 0; n < POINTS; n++) {
        float power = line[n].re * line[n].re + line[n].im * line[n].im;

        if (power > 1)
            found += power > 0.99f * POINTS * POINTS ? n : 1000000;
    }
    return found;
}

static const struct farm fft = {
    .name = "fft",
    .bytes = POINTS * sizeof(struct complex),
    .stage = {{"initP", init}, {"stepP", steps}},
    .fill = fill,
    .sum = sum,
};

/* Each core makes the table before there are tasks. */
int main(int argc, char **argv)
{
    make_twiddles();
    return farm_main(argc, argv, &fft);
}
