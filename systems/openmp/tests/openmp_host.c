// OpenMP's later directives: target on this chip, a league of one team, tasks
// in parts, settings of a task.
// cc: -O2 -fopenmp
// run: -n 4 --tag none
// expect-stdout:
// target 499500 on 4 threads, without waiting 8
// league of 1, 3 threads of 3, distributed 50
// untied 21, one after the other 6
// threads 4 after 6 in a task
// expect-stderr: _OPENMP = '202011'
#include <omp.h>
#include <stdio.h>

_Static_assert(_OPENMP == 202011, "as omp_display_env says");
static int array[1000];

static void target(void)
{
    int threads = 0, later = 7;
    long sum = 0;

#pragma omp target teams distribute parallel for reduction(+ : sum) \
    map(tofrom : array, threads)
    for (int n = 0; n < 1000; n++) {
        sum += n;
        if (n == 999)
            threads = omp_get_num_threads();
    }
#pragma omp target nowait map(tofrom : later)
    later++;
#pragma omp taskwait
    printf("target %ld on %d threads, without waiting %d\n", sum, threads,
           later);
}

static void league(void)
{
    int teams = 0, threads = 0, limit = 0, right = 0;

#pragma omp target teams num_teams(4) thread_limit(3) \
    map(tofrom : teams, threads, limit)
    {
        teams = omp_get_num_teams();
#pragma omp distribute dist_schedule(static, 7)
        for (int n = 0; n < 50; n++)
            array[n]--;
#pragma omp parallel
#pragma omp single
        {
            threads = omp_get_num_threads();
            limit = omp_get_thread_limit();
        }
    }
    for (int n = 0; n < 1000; n++)
        right += array[n] == -1;
    printf("league of %d, %d threads of %d, distributed %d\n", teams, threads,
           limit, right);
}

static void tasks(void)
{
    int parts = 0, a, b, c;

#pragma omp parallel
#pragma omp single
    {
#pragma omp task untied shared(parts)
        for (int n = 0; n < 6; n++) {
            parts += n + 1;
#pragma omp taskyield
        }
#pragma omp task depend(out : c) shared(c)
        c = 1;
#pragma omp task depend(out : a) shared(a)
        a = 2;
#pragma omp task depend(out : b) shared(b)
        b = 3;
#pragma omp task depend(in : a) depend(mutexinoutset : c) shared(a, c)
        c += a;
#pragma omp task depend(in : b) depend(mutexinoutset : c) shared(b, c)
        c += b;
    }
    printf("untied %d, one after the other %d\n", parts, c);
}

static void settings(void)
{
    int inside = 0;

#pragma omp parallel num_threads(1)
    {
        omp_set_num_threads(5);
#pragma omp task if (0) shared(inside)
        {
            omp_set_num_threads(6);
            inside = omp_get_max_threads();
        }
    }
    printf("threads %d after %d in a task\n", omp_get_max_threads(), inside);
}

int main(void)
{
    target();
    league();
    tasks();
    settings();
    omp_display_env(0);
    return 0;
}
