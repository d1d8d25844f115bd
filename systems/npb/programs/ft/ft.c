/*
 * FT: a diffusion equation by three-dimensional Fourier transforms
 * [npb-1994, section 3.2.4]. Each core has planes; along z the array is
 * transposed, so that each core has whole lines of z.
 */
#include "RCCE.h"
#include "RCCE_collectives.h"
#include "ft.h"
#include "npb.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SEED 314159265ull
#define PI 3.14159265358979323846
#define DIFFUSION 1e-6
#define MOST_ITERATIONS 20
#define CHECKED 1024
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
struct ft_grid grid;
/* In lines of z: the spectrum and how it fades in a step. In planes or lines:
 * work. */
static complex_number *spectrum, *work, *other;
static double *fading;
static void *make(int numbers, size_t size)
{
    void *memory = calloc((size_t)numbers, size);

    if (!memory) {
        fprintf(stderr, "FT: core %d has no memory for class %c\n", grid.me,
                class->name);
        exit(1);
    }
    return memory;
}

static void set_start(void)
{
    uint64_t state =
        npb_jump(SEED, 2 * (uint64_t)grid.me * (uint64_t)grid.count);

    for (int p = 0; p < grid.count; p++) {
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

    for (int l = 0; l < grid.lines; l++) {
        int line = grid.me * grid.lines + l;
        int across =
            square(line % grid.nx, grid.nx) + square(line / grid.nx, grid.ny);
        for (int k = 0; k < grid.nz; k++)
            fading[l * grid.nz + k] =
                exp(factor * (across + square(k, grid.nz)));
    }
}

static void forward(void)
{
    for (int k = 0; k < grid.planes; k++) {
        complex_number *plane = work + k * grid.nx * grid.ny;
        ft_rows(plane, grid.nx, grid.ny, 1);
        ft_columns(plane, 1);
    }
    ft_planes_to_lines(work, spectrum);
    ft_rows(spectrum, grid.nz, grid.lines, 1);
}

static void evolve_and_back(void)
{
    for (int p = 0; p < grid.count; p++) {
        spectrum[p].re *= fading[p];
        spectrum[p].im *= fading[p];
        work[p] = spectrum[p];
    }
    ft_rows(work, grid.nz, grid.lines, -1);
    ft_lines_to_planes(work, other);
    for (int k = 0; k < grid.planes; k++) {
        complex_number *plane = other + k * grid.nx * grid.ny;
        ft_columns(plane, -1);
        ft_rows(plane, grid.nx, grid.ny, -1);
    }
}

static complex_number checksum(void)
{
    complex_number mine = {0, 0}, all;
    double total = (double)grid.nx * grid.ny * grid.nz;

    for (int q = 1; q <= CHECKED; q++) {
        int k = 5 * q % grid.nz - grid.me * grid.planes;
        if (k < 0 || k >= grid.planes)
            continue;
        const complex_number *c =
            other + (k * grid.ny + 3 * q % grid.ny) * grid.nx + q % grid.nx;
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
    double n = (double)grid.nx * grid.ny * grid.nz, l = log(n);

    return n * (14.8157 + 7.19641 * l +
                (5.23518 + 7.21113 * l) * class->iterations);
}

static bool split(void)
{
    grid.nx = class->nx;
    grid.ny = class->ny;
    grid.nz = class->nz;
    grid.planes = grid.nz / grid.cores;
    grid.lines = grid.nx * grid.ny / grid.cores;
    grid.count = grid.planes * grid.nx * grid.ny;
    return !(grid.cores & (grid.cores - 1)) && grid.planes > 0;
}

static int run(char name)
{
    bool right = true;

    spectrum = make(grid.count, sizeof *spectrum);
    work = make(grid.count, sizeof *work);
    other = make(grid.count, sizeof *other);
    fading = make(grid.count, sizeof *fading);
    RCCE_barrier(&RCCE_COMM_WORLD);
    double begun = RCCE_wtime();
    ft_make_roots(make);
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
    grid.cores = RCCE_num_ues();
    grid.me = RCCE_ue();
    if (!split())
        return npb_refuse(argv[0],
                          "the number of cores must be a power of two");
    int code = run(name);
    RCCE_finalize();
    return code;
}
