// Loops inside loops: a region inside another one has one thread, which afterwards goes on with the
// loop that it was in, dealt out, ordered or waiting for others by name.
// cc: -O1 -fopenmp
// run: -n 4 --tag none
// also-slow: --kernel l4
// expect-stdout:
// dynamic in dynamic: 40 of 40, 120 inside
// runtime in guided, if(0): 40 of 40, 120 inside
// dynamic in ordered: 20 in order
// dynamic in a task in dynamic: 20 of 20, 60 inside
// waiting for others in the same: 12 in order, 36 inside
// inside: level 2, active 1, in parallel 1, teams of 4 and 1
// in none: level 2, active 0, in parallel 0, teams of 1 and 1
#include <omp.h>
#include <stdio.h>

static int outer, inner;

static void count(int *counter)
{
#pragma omp atomic
    ++*counter;
}

static void report(const char *loops, int all)
{
    printf("%s: %d of %d, %d inside\n", loops, outer, all, inner);
    outer = inner = 0;
}

static void dealt(void)
{
#pragma omp parallel for schedule(dynamic)
    for (int n = 0; n < 40; n++) {
#pragma omp parallel for schedule(dynamic)
        for (int m = 0; m < 3; m++)
            count(&inner);
        count(&outer);
    }
    report("dynamic in dynamic", 40);
#pragma omp parallel for schedule(guided)
    for (int n = 0; n < 40; n++) {
#pragma omp parallel for schedule(runtime) if (0)
        for (int m = 0; m < 3; m++)
            count(&inner);
        count(&outer);
    }
    report("runtime in guided, if(0)", 40);
}

static void ordered(void)
{
    int next = 0;

#pragma omp parallel for ordered schedule(dynamic)
    for (int n = 0; n < 20; n++) {
#pragma omp parallel for schedule(dynamic)
        for (int m = 0; m < 3; m++)
            count(&inner);
#pragma omp ordered
        next += n == next;
    }
    printf("dynamic in ordered: %d in order\n", next);
    inner = 0;
}

static void in_tasks(void)
{
#pragma omp parallel for schedule(dynamic)
    for (int n = 0; n < 20; n++) {
#pragma omp task
        {
#pragma omp parallel for schedule(dynamic)
            for (int m = 0; m < 3; m++)
                count(&inner);
        }
#pragma omp taskwait
        count(&outer);
    }
    report("dynamic in a task in dynamic", 20);
}

static void by_name(void)
{
    static int sum[12];
    int right = 0;

#pragma omp parallel for ordered(1) schedule(static, 1)
    for (int n = 0; n < 12; n++) {
#pragma omp ordered depend(sink : n - 1)
        sum[n] = n ? sum[n - 1] + 1 : 0;
#pragma omp parallel for ordered(1)
        for (int m = 0; m < 3; m++) {
#pragma omp ordered depend(sink : m - 1)
            count(&inner);
#pragma omp ordered depend(source)
        }
#pragma omp ordered depend(source)
    }
    for (int n = 0; n < 12; n++)
        right += sum[n] == n;
    printf("waiting for others in the same: %d in order, %d inside\n", right,
           inner);
}

static void print_place(const char *where)
{
    printf("%s: level %d, active %d, in parallel %d, teams of %d and %d\n",
           where, omp_get_level(), omp_get_active_level(), omp_in_parallel(),
           omp_get_team_size(1), omp_get_team_size(2));
}

int main(void)
{
    dealt();
    ordered();
    in_tasks();
    by_name();
#pragma omp parallel
    {
#pragma omp master
        {
#pragma omp parallel
            print_place("inside");
        }
    }
#pragma omp parallel if (0)
    {
#pragma omp parallel num_threads(1)
        print_place("in none");
    }
    return 0;
}
