// GNU's functions for OpenMP, called by name: regions, loops, sections, what
// lies in them.
// cc: -O1 -fopenmp
// run: -n 4 --tag none
// expect-stdout:
// team of 3: 3, alone 1
// dynamic 100, guided 100, static 100, downwards 100, runtime 100
// in order 1
// sections 10, then 6
// single 1, passed on 3
#include <omp.h>
#include <stdbool.h>
#include <stdio.h>

void GOMP_parallel(void (*)(void *), void *, unsigned, unsigned);
void GOMP_parallel_start(void (*)(void *), void *, unsigned);
void GOMP_parallel_end(void);
void GOMP_critical_start(void), GOMP_critical_end(void), GOMP_barrier(void);
bool GOMP_loop_dynamic_start(long, long, long, long, long *, long *);
bool GOMP_loop_dynamic_next(long *, long *);
bool GOMP_loop_runtime_start(long, long, long, long *, long *);
bool GOMP_loop_runtime_next(long *, long *);
bool GOMP_loop_guided_next(long *, long *);
bool GOMP_loop_static_next(long *, long *);
bool GOMP_loop_ordered_dynamic_start(long, long, long, long, long *, long *);
bool GOMP_loop_ordered_dynamic_next(long *, long *);
void GOMP_parallel_loop_guided(void (*)(void *), void *, unsigned, long, long,
                               long, long, unsigned);
void GOMP_parallel_loop_static(void (*)(void *), void *, unsigned, long, long,
                               long, long, unsigned);
void GOMP_ordered_start(void), GOMP_ordered_end(void);
void GOMP_loop_end(void), GOMP_loop_end_nowait(void);
unsigned GOMP_sections_start(unsigned), GOMP_sections_next(void);
void GOMP_parallel_sections(void (*)(void *), void *, unsigned, unsigned,
                            unsigned);
void GOMP_sections_end(void), GOMP_sections_end_nowait(void);
bool GOMP_single_start(void);
void *GOMP_single_copy_start(void);
void GOMP_single_copy_end(void *);

static int sum, place, in_order = 1, singles;

static void add(int what)
{
    GOMP_critical_start();
    sum += what;
    GOMP_critical_end();
}

static int taken(void)
{
    int value = sum;

    sum = 0;
    return value;
}

static void one(void *unused)
{
    (void)unused;
    add(1);
}

static void dynamic(void *step)
{
    long from, to, by = *(long *)step, count = 0;

    if (GOMP_loop_dynamic_start(by > 0 ? 0 : 99, by > 0 ? 100 : -1, by, 7,
                                &from, &to))
        do
            count += (to - from) / by;
        while (GOMP_loop_dynamic_next(&from, &to));
    add((int)count);
    GOMP_loop_end();
}

static void runtime(void *unused)
{
    long from, to;

    (void)unused;
    if (GOMP_loop_runtime_start(0, 100, 1, &from, &to))
        do
            add((int)(to - from));
        while (GOMP_loop_runtime_next(&from, &to));
    GOMP_loop_end_nowait();
}

static void guided(void *unused)
{
    long from, to;

    (void)unused;
    while (GOMP_loop_guided_next(&from, &to))
        add((int)(to - from));
    GOMP_loop_end_nowait();
}

static void in_parts(void *unused)
{
    long from, to;

    (void)unused;
    while (GOMP_loop_static_next(&from, &to))
        add((int)(to - from));
}

/* Every other iteration has an ordered part. */
static void ordered(void *unused)
{
    long from, to;

    (void)unused;
    if (GOMP_loop_ordered_dynamic_start(0, 40, 1, 3, &from, &to))
        do
            for (long n = from; n < to; n++) {
                if (n % 2)
                    continue;
                GOMP_ordered_start();
                in_order &= place == n;
                place = (int)n + 2;
                GOMP_ordered_end();
            }
        while (GOMP_loop_ordered_dynamic_next(&from, &to));
    GOMP_loop_end();
}

static void sections(void *unused)
{
    (void)unused;
    for (unsigned n = GOMP_sections_next(); n; n = GOMP_sections_next())
        add((int)n);
    GOMP_sections_end_nowait();
}

static void more_sections(void *unused)
{
    (void)unused;
    for (unsigned n = GOMP_sections_start(3); n; n = GOMP_sections_next())
        add((int)n);
    GOMP_sections_end();
}

static void single(void *unused)
{
    int value = 1, *passed;

    (void)unused;
    if (GOMP_single_start())
        singles++;
    GOMP_barrier();
    passed = GOMP_single_copy_start();
    if (!passed)
        GOMP_single_copy_end(&value);
    add(passed ? *passed : value);
    GOMP_barrier();
}

int main(void)
{
    long up = 1, down = -1;
    int all[5];

    GOMP_parallel_start(one, NULL, 3);
    one(NULL);
    GOMP_parallel_end();
    printf("team of 3: %d, ", taken());
    GOMP_parallel(one, NULL, 1, 0);
    printf("alone %d\n", taken());
    GOMP_parallel(dynamic, &up, 4, 0);
    all[0] = taken();
    GOMP_parallel_loop_guided(guided, NULL, 4, 0, 100, 1, 2, 0);
    all[1] = taken();
    GOMP_parallel_loop_static(in_parts, NULL, 3, 0, 100, 1, 0, 0);
    all[2] = taken();
    GOMP_parallel(dynamic, &down, 4, 0);
    all[3] = taken();
    GOMP_parallel(runtime, NULL, 4, 0);
    all[4] = taken();
    printf("dynamic %d, guided %d, static %d, downwards %d, runtime %d\n",
           all[0], all[1], all[2], all[3], all[4]);
    GOMP_parallel(ordered, NULL, 4, 0);
    printf("in order %d\n", in_order && place == 40);
    GOMP_parallel_sections(sections, NULL, 4, 4, 0);
    printf("sections %d, ", taken());
    GOMP_parallel(more_sections, NULL, 2, 0);
    printf("then %d\n", taken());
    GOMP_parallel(single, NULL, 3, 0);
    printf("single %d, passed on %d\n", singles, taken());
    return 0;
}
