/*
 * FT: a diffusion equation by three-dimensional Fourier transforms
 * [npb-1994, section 3.2.4]. Each core has planes; along z the array is
 * transposed, so that each core has whole lines of z.
 */
#include "RCCE.h"
#include "RCCE_collectives.h"
#include "npb.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SEED 314159265ull
#define PI 3.14159265358979323846
#define DIFFUSION 1e-6
#define MOST_ITERATIONS 20
#define CHECKED 1024
/* Lines that are transformed together when they are not side by side. */
#define LINES 8

typedef struct {
    double re, im;
} complex_number;

struct class {
    char name;
    int nx, ny, nz, iterations;
    complex_number sums[MOST_ITERATIONS];
};

static const struct class classes[] = {
    {'S',
     64,
     64,
     64,
     6,
     {{5.546087004964e+02, 4.845363331978e+02},
      {5.546385409189e+02, 4.865304269511e+02},
      {5.546148406171e+02, 4.883910722336e+02},
      {5.545423607415e+02, 4.901273169046e+02},
      {5.544255039624e+02, 4.917475857993e+02},
      {5.542683411902e+02, 4.932597244941e+02}}},
    {'W',
     128,
     128,
     32,
     6,
     {{5.673612178944e+02, 5.293246849175e+02},
      {5.631436885271e+02, 5.282149986629e+02},
      {5.594024089970e+02, 5.270996558037e+02},
      {5.560698047020e+02, 5.260027904925e+02},
      {5.530898991250e+02, 5.249400845633e+02},
      {5.504159734538e+02, 5.239212247086e+02}}},
    {'A',
     256,
     256,
     128,
     6,
     {{5.046735008193e+02, 5.114047905510e+02},
      {5.059412319734e+02, 5.098809666433e+02},
      {5.069376896287e+02, 5.098144042213e+02},
      {5.077892868474e+02, 5.101336130759e+02},
      {5.085233095391e+02, 5.104914655194e+02},
      {5.091487099959e+02, 5.107917842803e+02}}},
    {'B',
     512,
     256,
     256,
     20,
     {{5.177643571579e+02, 5.077803458597e+02},
      {5.154521291263e+02, 5.088249431599e+02},
      {5.146409228649e+02, 5.096208912659e+02},
      {5.142378756213e+02, 5.101023387619e+02},
      {5.139626667737e+02, 5.103976610617e+02},
      {5.137423460082e+02, 5.105948019802e+02},
      {5.135547056878e+02, 5.107404165783e+02},
      {5.133910925466e+02, 5.108576573661e+02},
      {5.132470705390e+02, 5.109577278523e+02},
      {5.131197729984e+02, 5.110460304483e+02},
      {5.130070319283e+02, 5.111252433800e+02},
      {5.129070537032e+02, 5.111968077718e+02},
      {5.128182883502e+02, 5.112616233064e+02},
      {5.127393733383e+02, 5.113203605551e+02},
      {5.126691062020e+02, 5.113735928093e+02},
      {5.126064276004e+02, 5.114218460548e+02},
      {5.125504076570e+02, 5.114656139760e+02},
      {5.125002331720e+02, 5.115053595966e+02},
      {5.124551951846e+02, 5.115415130407e+02},
      {5.124146770029e+02, 5.115744692211e+02}}},
};

static const struct class *class;
static int cores, me, nx, ny, nz;
/* The core's planes, its lines of z, and the numbers of both. */
static int planes, lines, count;
/* In lines of z: the spectrum and how it fades in a step. In planes or lines:
 * work. */
static complex_number *spectrum, *work, *other;
static double *fading;
/* exp(2 pi i k / longest) */
static complex_number *roots;
static int longest;

static void *make(int numbers, size_t size)
{
    void *memory = calloc((size_t)numbers, size);

    if (!memory) {
        fprintf(stderr, "FT: core %d has no memory for class %c\n", me,
                class->name);
        exit(1);
    }
    return memory;
}

static void make_roots(void)
{
    longest = nx > ny ? nx : ny;
    longest = nz > longest ? nz : longest;
    roots = make(longest, sizeof *roots);
    for (int k = 0; k < longest; k++) {
        double angle = 2 * PI * k / longest;
        roots[k].re = cos(angle);
        roots[k].im = sin(angle);
    }
}

/*
 * Stockham's transform of one line, forward (sign 1) or back (-1); `spare` is
 * as long. Each step puts together pairs that are half the line apart.
 */
static void transform(complex_number *restrict line,
                      complex_number *restrict spare, int n, int sign)
{
    complex_number *from = line, *to = spare;

    for (int run = 1, groups = n / 2; groups >= 1; run *= 2, groups /= 2) {
        for (int g = 0; g < groups; g++) {
            complex_number w = roots[g * run * (longest / n)];
            w.im *= sign;
            const complex_number *a = from + g * run, *b = a + n / 2;
            complex_number *sum = to + 2 * g * run, *difference = sum + run;
            for (int k = 0; k < run; k++) {
                double re = a[k].re - b[k].re, im = a[k].im - b[k].im;
                sum[k].re = a[k].re + b[k].re;
                sum[k].im = a[k].im + b[k].im;
                difference[k].re = w.re * re - w.im * im;
                difference[k].im = w.re * im + w.im * re;
            }
        }
        complex_number *swap = from;
        from = to;
        to = swap;
    }
    if (from != line)
        memcpy(line, from, (size_t)n * sizeof *line);
}

/* Lines along x lie in memory as they are. */
static void transform_rows(complex_number *array, int n, int rows, int sign)
{
    static complex_number spare[512];

    for (int r = 0; r < rows; r++)
        transform(array + r * n, spare, n, sign);
}

/* Lines along y are copied out, a few at a time. */
static void transform_columns(complex_number *plane, int sign)
{
    static complex_number spare[512], line[LINES][512];

    for (int i = 0; i < nx; i += LINES) {
        for (int j = 0; j < ny; j++)
            for (int l = 0; l < LINES; l++)
                line[l][j] = plane[j * nx + i + l];
        for (int l = 0; l < LINES; l++)
            transform(line[l], spare, ny, sign);
        for (int j = 0; j < ny; j++)
            for (int l = 0; l < LINES; l++)
                plane[j * nx + i + l] = line[l][j];
    }
}

/* Every core sends every other one a part of `from`, and gets one of `to`. */
static void exchange_parts(complex_number *from, complex_number *to)
{
    int part = count / cores;
    size_t bytes = (size_t)part * sizeof *from;

    memcpy(to + me * part, from + me * part, bytes);
    for (int step = 1; step < cores; step++) {
        int partner = me ^ step;
        if (me < partner)
            RCCE_send((char *)(from + partner * part), bytes, partner);
        RCCE_recv((char *)(to + partner * part), bytes, partner);
        if (me > partner)
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
static void planes_to_lines(complex_number *from, complex_number *to)
{
    for (int core = 0; core < cores; core++)
        for (int k = 0; k < planes; k++)
            memcpy(to + (core * planes + k) * lines,
                   from + k * nx * ny + core * lines,
                   (size_t)lines * sizeof *to);
    exchange_parts(to, from);
    turn(from, to, nz, lines, lines, nz);
}

static void lines_to_planes(complex_number *from, complex_number *to)
{
    turn(from, to, lines, nz, nz, lines);
    exchange_parts(to, from);
    for (int core = 0; core < cores; core++)
        for (int k = 0; k < planes; k++)
            memcpy(to + k * nx * ny + core * lines,
                   from + (core * planes + k) * lines,
                   (size_t)lines * sizeof *to);
}

static void set_start(void)
{
    uint64_t state = npb_jump(SEED, 2 * (uint64_t)me * (uint64_t)count);

    for (int p = 0; p < count; p++) {
        work[p].re = npb_random(&state);
        work[p].im = npb_random(&state);
    }
}

/* Squares of the wave numbers, which are negative in the upper half. */
static int square(int index, int n)
{
    int wave = (index + n / 2) % n - n / 2;

    return wave * wave;
}

static void set_fading(void)
{
    double factor = -4 * DIFFUSION * PI * PI;

    for (int l = 0; l < lines; l++) {
        int line = me * lines + l;
        int across = square(line % nx, nx) + square(line / nx, ny);
        for (int k = 0; k < nz; k++)
            fading[l * nz + k] = exp(factor * (across + square(k, nz)));
    }
}

static void forward(void)
{
    for (int k = 0; k < planes; k++) {
        complex_number *plane = work + k * nx * ny;
        transform_rows(plane, nx, ny, 1);
        transform_columns(plane, 1);
    }
    planes_to_lines(work, spectrum);
    transform_rows(spectrum, nz, lines, 1);
}

static void evolve_and_back(void)
{
    for (int p = 0; p < count; p++) {
        spectrum[p].re *= fading[p];
        spectrum[p].im *= fading[p];
        work[p] = spectrum[p];
    }
    transform_rows(work, nz, lines, -1);
    lines_to_planes(work, other);
    for (int k = 0; k < planes; k++) {
        complex_number *plane = other + k * nx * ny;
        transform_columns(plane, -1);
        transform_rows(plane, nx, ny, -1);
    }
}

static complex_number checksum(void)
{
    complex_number mine = {0, 0}, all;
    double total = (double)nx * ny * nz;

    for (int q = 1; q <= CHECKED; q++) {
        int k = 5 * q % nz - me * planes;
        if (k < 0 || k >= planes)
            continue;
        const complex_number *c = other + (k * ny + 3 * q % ny) * nx + q % nx;
        mine.re += c->re;
        mine.im += c->im;
    }
    RCCE_coll_allreduce((char *)&mine, (char *)&all, 2, RCCE_DOUBLE, RCCE_SUM,
                        RCCE_COMM_WORLD);
    all.re /= total;
    all.im /= total;
    return all;
}

static bool is_close(complex_number ours, complex_number official)
{
    double error = hypot(ours.re - official.re, ours.im - official.im);

    return error / hypot(official.re, official.im) <= 1e-12;
}

/* As the benchmark counts. */
static double operations(void)
{
    double n = (double)nx * ny * nz, l = log(n);

    return n * (14.8157 + 7.19641 * l +
                (5.23518 + 7.21113 * l) * class->iterations);
}

static bool split(void)
{
    nx = class->nx;
    ny = class->ny;
    nz = class->nz;
    planes = nz / cores;
    lines = nx * ny / cores;
    count = planes * nx * ny;
    return !(cores & (cores - 1)) && planes > 0;
}

static int run(char name)
{
    bool right = true;

    spectrum = make(count, sizeof *spectrum);
    work = make(count, sizeof *work);
    other = make(count, sizeof *other);
    fading = make(count, sizeof *fading);
    RCCE_barrier(&RCCE_COMM_WORLD);
    double begun = RCCE_wtime();
    make_roots();
    set_start();
    set_fading();
    forward();
    for (int i = 0; i < class->iterations; i++) {
        evolve_and_back();
        right = is_close(checksum(), class->sums[i]) && right;
    }
    double seconds = RCCE_wtime() - begun;
    return npb_report("FT", name, operations(), seconds, right);
}

int RCCE_APP(int argc, char **argv)
{
    RCCE_init(&argc, &argv);
    char name = npb_class(argc, argv, "SWAB");
    if (!name)
        return 64;
    for (class = classes; class->name != name; class++)
        ;
    cores = RCCE_num_ues();
    me = RCCE_ue();
    if (!split())
        return npb_refuse(argv[0],
                          "the number of cores must be a power of two");
    int code = run(name);
    RCCE_finalize();
    return code;
}
