// 2^22 points, as SPLASH-2's large problem: 192 MB, most of it lent by cores that do not run. All
// lines of the spectrum are found, and nothing else.
// cc: -O2 -pthread -I${system}/programs
// run: -q -n 16 --tag none --timeout 7200s
// expect-stdout:
// fft of 192 MB: 4 lines
// slow: yes
#define main small
#include <fft.c>
#undef main

enum { LOG = 22, SIDE = 1 << LOG / 2 };

/* As the program's own input, in rows that are longer than it takes. */
static void fill_rows(int number, struct complex *roots)
{
    struct complex *a = malloc(2 * SIDE * sizeof *a), *b = a + SIDE;

    wave(roots, side, 0, -1.0 / side);
    for (int row = first_row(number); row < first_row(number + 1); row++) {
        struct complex *to = data + row * side;

        wave(twiddles + row * side, side, 0, -(double)row / points);
        wave(a, side, (double)row / side * WAVE_A, (double)WAVE_A / points);
        wave(b, side, (double)row / side * WAVE_B, (double)WAVE_B / points);
        for (int n = 0; n < side; n++)
            to[n] = (struct complex){0.25 + a[n].re + 2 * b[n].re, a[n].im};
    }
    free(a);
}

static void *transform_all(void *argument)
{
    int number = *(int *)argument;
    struct complex *roots = malloc(SIDE * sizeof *roots);

    fill_rows(number, roots);
    pthread_barrier_wait(&barrier);
    fft(number, roots);
    return NULL;
}

int main(void)
{
    size_t bytes = (size_t)(1 << LOG) * sizeof *data;
    long time;

    threads = 16;
    side = SIDE;
    points = SIDE * SIDE;
    data = aligned_alloc(4096, bytes);
    other = aligned_alloc(4096, bytes);
    twiddles = aligned_alloc(4096, bytes);
    if (!data || !other || !twiddles || !run_team(transform_all, &time))
        return 1;
    printf("fft of %d MB: %d lines\n", (int)(3 * bytes >> 20), right());
    return 0;
}
