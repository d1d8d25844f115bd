// OpenMP's directives on five cores.
// cc: -O2 -fopenmp
// run: -n 5 --tag none --check coherence
// expect-stdout:
// regions 5 threads, 3 wanted, inner 1
// schedules 499500 499500 499500 499500 499500 499500 499500 499500
// edges 0 1 10 36893488147419103232 3
// ordered 0123456789abcdef
// last 99 sections 6 single 1 copied 5 master 1
// critical 50 atomic 50 47.5 500000000000 capture 1225 locks 50 5
// reductions 4950 99 4 3628800
// tasks 5 55 6765 loop 4950 group 10 depends 128
// own 5 10 copied in 35
// expect-stderr: no findings
#include <omp.h>
#include <stdio.h>

#define STEP (1ll << 40)
static int array[1000];

static void regions(void)
{
    int all = 0, wanted = 0, inner = 0;

#pragma omp parallel
    {
#pragma omp atomic
        all++;
#pragma omp master
#pragma omp parallel
        inner = omp_get_num_threads();
    }
#pragma omp parallel num_threads(3)
#pragma omp single
    wanted = omp_get_num_threads();
    printf("regions %d threads, %d wanted, inner %d\n", all, wanted, inner);
}

/* Each iteration is done once: its number is added to its own element. */
static long sum_of_array(void)
{
    long sum = 0;

    for (int n = 0; n < 1000; n++) {
        sum += array[n];
        array[n] = 0;
    }
    return sum;
}

#define LOOP(HOW)                                                       \
    _Pragma("omp parallel") _Pragma(HOW) for (int n = 0; n < 1000; n++) \
        array[n] += n;                                                  \
    printf(" %ld", sum_of_array());

static void schedules(void)
{
    printf("schedules");
    LOOP("omp for schedule(static)")
    LOOP("omp for schedule(static, 7)")
    LOOP("omp for schedule(dynamic)")
    LOOP("omp for schedule(dynamic, 16)")
    LOOP("omp for schedule(guided)")
    LOOP("omp for schedule(auto)")
    omp_set_schedule(omp_sched_guided, 4);
    LOOP("omp for schedule(runtime)")
#pragma omp parallel
    {
#pragma omp for schedule(dynamic, 3) nowait
        for (int n = 999; n >= 500; n -= 1)
            array[n] += n;
#pragma omp for collapse(2) schedule(dynamic) nowait
        for (int n = 0; n < 50; n++)
            for (int m = 0; m < 10; m++)
                array[n * 10 + m] += n * 10 + m;
    }
    printf(" %ld\n", sum_of_array());
}

/* No iteration, fewer than threads, unsigned variables near their ends. */
static void edges(void)
{
    int none = 0, few = 0, down = 0, wide = 0;
    double large = 0;

#pragma omp parallel for reduction(+ : none) schedule(dynamic)
    for (int n = 5; n < 5; n++)
        none++;
#pragma omp parallel for reduction(+ : few)
    for (int n = 0; n < 1; n++)
        few++;
#pragma omp parallel for reduction(+ : down) schedule(static, 2)
    for (unsigned n = 20; n > 0; n -= 2)
        down++;
#pragma omp parallel for reduction(+ : large) schedule(guided)
    for (unsigned long long n = ~0ull - 2; n < ~0ull; n++)
        large += (double)n;
#pragma omp parallel for reduction(+ : wide) schedule(dynamic)
    for (long long n = -STEP; n <= STEP; n += STEP)
        wide++;
    printf("edges %d %d %d %.0f %d\n", none, few, down, large, wide);
}

static void in_order(void)
{
    static char text[17];
    static int length;

#pragma omp parallel for ordered schedule(dynamic, 2)
    for (int n = 0; n < 16; n++) {
#pragma omp ordered
        text[length++] = "0123456789abcdef"[n];
    }
    printf("ordered %s\n", text);
}

static void constructs(void)
{
    int last = 0, sections = 0, single = 0, copied = 0, master = 0;

#pragma omp parallel
    {
        int value = 0;

#pragma omp for lastprivate(last)
        for (int n = 0; n < 100; n++)
            last = n;
#pragma omp sections reduction(+ : sections)
        {
#pragma omp section
            sections += 1;
#pragma omp section
            sections += 2;
#pragma omp section
            sections += 3;
        }
#pragma omp single
        single++;
#pragma omp single copyprivate(value)
        value = 7;
#pragma omp atomic
        copied += value == 7;
#pragma omp master
        master++;
    }
    printf("last %d sections %d single %d copied %d master %d\n", last,
           sections, single, copied, master);
}

static void exclusion(void)
{
    int critical = 0, counted = 0, captured = 0, locked = 0, nested = 0;
    float real = -2.5f;
    long long wide = 0;
    omp_lock_t lock;
    omp_nest_lock_t nest;

    omp_init_lock(&lock);
    omp_init_nest_lock(&nest);
#pragma omp parallel
    {
        for (int n = 0; n < 10; n++) {
            int mine;

#pragma omp critical(some)
            critical++;
#pragma omp atomic
            real += 1;
#pragma omp atomic
            wide += 10000000000;
#pragma omp atomic capture
            mine = counted++;
#pragma omp atomic
            captured += mine;
            omp_set_lock(&lock);
            locked++;
            omp_unset_lock(&lock);
        }
        omp_set_nest_lock(&nest);
        omp_set_nest_lock(&nest);
        nested++;
        omp_unset_nest_lock(&nest);
        omp_unset_nest_lock(&nest);
    }
    printf("critical %d atomic %d %.1f %lld capture %d locks %d %d\n", critical,
           counted, real, wide, captured, locked, nested);
}

static void reductions(void)
{
    int sum = 0, most = 0, all = 7, product = 1;

#pragma omp parallel for reduction(+ : sum) reduction(max : most) \
    reduction(& : all)
    for (int n = 0; n < 100; n++) {
        sum += n;
        most = n > most ? n : most;
        all &= n | 4;
    }
#pragma omp parallel for reduction(* : product)
    for (int n = 1; n <= 10; n++)
        product *= n;
    printf("reductions %d %d %d %d\n", sum, most, all, product);
}

static int fibonacci(int n)
{
    int a, b;

    if (n < 2)
        return n;
#pragma omp task shared(a) if (n > 17)
    a = fibonacci(n - 1);
    b = fibonacci(n - 2);
#pragma omp taskwait
    return a + b;
}

static void tasks(void)
{
    int squares = 0, found = 0, looped = 0, grouped = 0, chain = 1, ran = 0;

#pragma omp parallel
    {
#pragma omp single
        {
            for (int n = 1; n <= 5; n++) {
#pragma omp task firstprivate(n)
                {
#pragma omp atomic
                    squares += n * n;
#pragma omp atomic
                    ran++;
                }
            }
#pragma omp taskwait
            found = fibonacci(20);
#pragma omp taskloop grainsize(10)
            for (int n = 0; n < 100; n++) {
#pragma omp atomic
                looped += n;
            }
#pragma omp taskgroup
            for (int n = 0; n < 5; n++) {
#pragma omp task
                {
#pragma omp task
                    {
#pragma omp atomic
                        grouped++;
                    }
#pragma omp atomic
                    grouped++;
                }
            }
            if (grouped != 10)
                printf("taskgroup went on at %d\n", grouped);
            for (int n = 0; n < 7; n++) {
#pragma omp task depend(inout : chain)
                chain *= 2;
            }
        }
    }
    printf("tasks %d %d %d loop %d group %d depends %d\n", ran, squares, found,
           looped, grouped, chain);
}

static int own = 3;
#pragma omp threadprivate(own)
static void threadprivate(void)
{
    int first = 0, kept = 0, copied = 0;

    own = 4;
#pragma omp parallel
    {
#pragma omp atomic
        first += own == 3 + (omp_get_thread_num() == 0);
        own = omp_get_thread_num();
    }
#pragma omp parallel
#pragma omp atomic
    kept += own;
    own = 7;
#pragma omp parallel copyin(own)
#pragma omp atomic
    copied += own;
    printf("own %d %d copied in %d\n", first, kept, copied);
}

int main(void)
{
    void (*const all[])(void) = {regions,    schedules,  edges,
                                 in_order,   constructs, exclusion,
                                 reductions, tasks,      threadprivate};

    for (unsigned n = 0; n < sizeof all / sizeof all[0]; n++)
        all[n]();
    return 0;
}
