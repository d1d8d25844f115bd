/*
 * fft.c: a complex one-dimensional FFT in six steps after SPLASH-2's
 * description, written anew with pthreads only.
 *
 *   fft [THREADS LOG]
 *
 * 2^LOG points are a square matrix whose rows are dealt out in one piece to
 * each thread: transpose, transform the rows, multiply by roots of unity,
 * transpose, transform the rows, transpose. A thread transposes block by block,
 * the first of them from the thread after it. The input is two waves and a
 * constant. The output is the threads, the microseconds, and the lines of the
 * spectrum that were found, or "wrong".
 */
#include "team.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define WAVE_A 5
#define WAVE_B 77
#define PI 3.14159265358979323846

struct complex {
    double re, im;
};

static struct complex *data, *other, *twiddles;
static int side, points;

static struct complex times(struct complex a, struct complex b)
{
    return (struct complex){a.re * b.re - a.im * b.im,
                            a.re * b.im + a.im * b.re};
}

static int first_row(int number)
{
    return side / threads * number;
}

static void transpose(int number, const struct complex *from,
                      struct complex *to)
{
    int rows = side / threads;

    for (int n = 1; n <= threads; n++) {
        int block = (number + n) % threads * rows;

        for (int row = block; row < block + rows; row++)
            for (int column = number * rows; column < (number + 1) * rows;
                 column++)
                to[column * side + row] = from[row * side + column];
    }
}

static void reverse_bits(struct complex *row)
{
    for (int n = 0, m = 0; n < side; n++) {
        int bit = side / 2;

        if (n < m) {
            struct complex kept = row[n];

            row[n] = row[m];
            row[m] = kept;
        }
        for (; bit > 0 && m & bit; bit /= 2)
            m -= bit;
        m += bit;
    }
}

static void transform(struct complex *row, const struct complex *roots)
{
    reverse_bits(row);
    for (int half = 1; half < side; half *= 2)
        for (int start = 0; start < side; start += 2 * half)
            for (int n = 0; n < half; n++) {
                struct complex root = roots[n * (side / (2 * half))];
                struct complex odd = times(root, row[start + half + n]);
                struct complex even = row[start + n];

                row[start + n].re = even.re + odd.re;
                row[start + n].im = even.im + odd.im;
                row[start + half + n].re = even.re - odd.re;
                row[start + half + n].im = even.im - odd.im;
            }
}

static void transform_rows(int number, struct complex *matrix,
                           const struct complex *roots)
{
    for (int row = first_row(number); row < first_row(number + 1); row++)
        transform(matrix + row * side, roots);
}

static void twiddle(int number, struct complex *matrix)
{
    for (int row = first_row(number); row < first_row(number + 1); row++)
        for (int n = 0; n < side; n++)
            matrix[row * side + n] =
                times(matrix[row * side + n], twiddles[row * side + n]);
}

static void fft(int number, const struct complex *roots)
{
    transpose(number, data, other);
    pthread_barrier_wait(&barrier);
    transform_rows(number, other, roots);
    twiddle(number, other);
    pthread_barrier_wait(&barrier);
    transpose(number, other, data);
    pthread_barrier_wait(&barrier);
    transform_rows(number, data, roots);
    pthread_barrier_wait(&barrier);
    transpose(number, data, other);
    pthread_barrier_wait(&barrier);
}

static struct complex turn(double part)
{
    return (struct complex){cos(2 * PI * part), sin(2 * PI * part)};
}

/* The next `count` values of a wave, each by a turn from the one before. */
static void wave(struct complex *to, int count, double first, double by)
{
    struct complex value = turn(first), step = turn(by);

    for (int n = 0; n < count; n++) {
        to[n] = value;
        value = times(value, step);
    }
}

/* Each thread's part of the input: a constant, a wave of one line and one of
 * two; and of what the rows are multiplied with. */
static void fill(int number, struct complex *roots)
{
    struct complex a[1024], b[1024];

    wave(roots, side, 0, -1.0 / side);
    for (int row = first_row(number); row < first_row(number + 1); row++) {
        double at = (double)row / side;

        wave(twiddles + row * side, side, 0, -(double)row / points);
        wave(a, side, at * WAVE_A, (double)WAVE_A / points);
        wave(b, side, at * WAVE_B, (double)WAVE_B / points);
        for (int n = 0; n < side; n++) {
            data[row * side + n].re = 0.25 + a[n].re + 2 * b[n].re;
            data[row * side + n].im = a[n].im;
        }
    }
}

/* exp(ai) is one line, 2 cos(b) two of half the height each. */
static int right(void)
{
    int lines = 0;

    for (int n = 0; n < points; n++) {
        double height = n == 0 ? 0.25 : 0;

        height += n == WAVE_A || n == WAVE_B || n == points - WAVE_B;
        if (fabs(other[n].re / points - height) > 1e-8 ||
            fabs(other[n].im / points) > 1e-8)
            return 0;
        lines += height > 0;
    }
    return lines;
}

static void *work(void *argument)
{
    int number = *(int *)argument;
    struct complex *roots = malloc((size_t)side * sizeof *roots);
    long start;

    fill(number, roots);
    pthread_barrier_wait(&barrier);
    start = microseconds();
    fft(number, roots);
    return (void *)(microseconds() - start);
}

int main(int argc, char **argv)
{
    int log = argc > 2 ? atoi(argv[2]) : 10, found;
    long time;

    threads = argc > 1 ? atoi(argv[1]) : 2;
    side = 1 << log / 2;
    points = side * side;
    if (threads < 1 || threads > 32 || side % threads || log % 2 || log < 8 ||
        log > 20) {
        fprintf(stderr, "fft: threads are a power of two, at most 32; LOG is "
                        "even, 8 to 20\n");
        return 2;
    }
    data = aligned_alloc(4096, (size_t)points * sizeof *data);
    other = aligned_alloc(4096, (size_t)points * sizeof *data);
    twiddles = aligned_alloc(4096, (size_t)points * sizeof *data);
    if (!data || !other || !twiddles) {
        fprintf(stderr, "fft: no memory for 2^%d points\n", log);
        return 1;
    }
    if (!run_team(work, &time))
        return 1;
    found = right();
    printf("fft %d %ld %s%d\n", threads, time, found ? "lines:" : "wrong",
           found);
    return found == 0;
}
