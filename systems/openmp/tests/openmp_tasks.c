// OpenMP's tasks that reduce, wait for each other or for an event, loops whose
// iterations wait for others, allocators.
// cc: -O2 -fopenmp
// run: -n 4 --tag none --check coherence
// also: -n 1
// also-slow: --threads-model lazy
// also-slow: --threads-model strong
// expect-stdout:
// reduced 120 in a group, 3240 by all, 64 and 5040 in a loop
// in order 0 wrong of 200, side by side 1
// events 3, event of a task that waits 1
// across 0 wrong, strict 3 3 3 1, last 93
// aligned 1, pool empty 1, from the other 1, zeros 1
// expect-stderr: no findings
#include <omp.h>
#include <stdint.h>
#include <stdio.h>

static int sum, cells[8], expected[8];
static int grid[12][12];

static void add(int value)
{
#pragma omp task in_reduction(+ : sum)
    sum += value;
}

static void reductions(void)
{
    int by_all = 0, in_loop = 0;
    long product = 1;

#pragma omp parallel
#pragma omp single
#pragma omp taskgroup task_reduction(+ : sum)
    for (int n = 1; n <= 15; n++)
        add(n);
#pragma omp parallel for reduction(task, + : by_all)
    for (int n = 0; n < 80; n++) {
#pragma omp task in_reduction(+ : by_all)
        by_all += n;
        by_all++;
    }
#pragma omp parallel
#pragma omp single
#pragma omp taskloop reduction(+ : in_loop) reduction(* : product)
    for (int n = 0; n < 64; n++) {
        in_loop++;
        product *= n < 8 && n > 0 ? n : 1;
    }
    printf("reduced %d in a group, %d by all, %d and %ld in a loop\n", sum,
           by_all, in_loop, product);
}

static unsigned chance(void)
{
    static unsigned state = 30;

    return (state = state * 1103515245 + 12345) >> 16;
}

/* Each task changes one cell by another one's value: the order decides. */
static void order(void)
{
    int wrong = 0, overtook = 0;

#pragma omp parallel
#pragma omp single
    {
        for (int n = 0; n < 200; n++) {
            int to = (int)(chance() % 8), from = (int)(chance() % 8);

            expected[to] = expected[to] * 3 + expected[from] + n;
#pragma omp task depend(inout : cells[to]) depend(in : cells[from])
            cells[to] = cells[to] * 3 + cells[from] + n;
        }
    }
    for (int n = 0; n < 8; n++)
        wrong += cells[n] != expected[n];
    /* The creator goes on while the second task waits for the first one. */
#pragma omp parallel
#pragma omp single
    {
        omp_event_handle_t event;

#pragma omp task detach(event) depend(out : wrong)
        {
        }
#pragma omp task depend(in : wrong) shared(overtook)
        overtook = overtook == 0;
        omp_fulfill_event(event);
    }
    printf("in order %d wrong of 200, side by side %d\n", wrong, overtook);
}

static void events(void)
{
    omp_event_handle_t first, second;
    int done = 0, after = 0;

#pragma omp parallel
#pragma omp single
    {
#pragma omp task detach(first) shared(done)
#pragma omp atomic
        done++;
#pragma omp task detach(second) shared(done)
        {
#pragma omp atomic
            done++;
            omp_fulfill_event(first);
        }
#pragma omp task shared(done)
        {
#pragma omp atomic
            done++;
            omp_fulfill_event(second);
        }
#pragma omp taskwait
        after = done;
    }
    printf("events %d, event of a task that waits %d\n", done, after == 3);
}

static void loops(void)
{
    int wrong = 0, parts[4] = {0}, last = 0;

#pragma omp parallel for ordered(2)
    for (int y = 1; y < 12; y++)
        for (int x = 1; x < 12; x++) {
#pragma omp ordered depend(sink : y - 1, x) depend(sink : y, x - 1)
            grid[y][x] = grid[y - 1][x] + grid[y][x - 1] + 1;
#pragma omp ordered depend(source)
        }
    for (int y = 1; y < 12; y++)
        for (int x = 1; x < 12; x++)
            wrong += grid[y][x] != grid[y - 1][x] + grid[y][x - 1] + 1;
#pragma omp parallel
#pragma omp single
#pragma omp taskloop grainsize(strict : 3) shared(parts)
    for (int n = 0; n < 10; n++)
#pragma omp atomic
        parts[n / 3]++;
#pragma omp parallel for lastprivate(conditional : last) schedule(dynamic, 3)
    for (int n = 0; n < 100; n++)
        if (n % 31 == 0)
            last = n;
    printf("across %d wrong, strict %d %d %d %d, last %d\n", wrong, parts[0],
           parts[1], parts[2], parts[3], last);
}

static void allocators(void)
{
    const omp_alloctrait_t small[] = {{omp_atk_alignment, 64},
                                      {omp_atk_pool_size, 1000},
                                      {omp_atk_fallback, omp_atv_null_fb}};
    omp_allocator_handle_t pool =
        omp_init_allocator(omp_default_mem_space, 3, small);
    omp_alloctrait_t or_pool[] = {{omp_atk_pool_size, 100},
                                  {omp_atk_fallback, omp_atv_allocator_fb},
                                  {omp_atk_fb_data, (omp_uintptr_t)pool}};
    omp_allocator_handle_t other =
        omp_init_allocator(omp_default_mem_space, 3, or_pool);
    char *first = omp_alloc(600, other);
    int empty = omp_alloc(600, pool) == NULL, second, zeros = 0;
    int *many = omp_calloc(20, sizeof *many, omp_default_mem_alloc);

    for (int n = 0; n < 20; n++)
        zeros += many[n];
    omp_free(first, omp_null_allocator);
    first = omp_alloc(600, pool);
    second = first != NULL;
    printf("aligned %d, pool empty %d, from the other %d, zeros %d\n",
           (uintptr_t)first % 64 == 0, empty, second, zeros == 0);
    omp_free(first, pool);
    omp_free(many, omp_default_mem_alloc);
    omp_destroy_allocator(other);
    omp_destroy_allocator(pool);
}

int main(void)
{
    reductions();
    order();
    events();
    loops();
    allocators();
    return 0;
}
