/*
 * settings.c: the functions of omp.h; OMP_NUM_THREADS and OMP_SCHEDULE.
 */
#include "../openmp.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#define CLANGS_OPENMP 202011 /* what _OPENMP is in programs */

_Thread_local int crf_omp_pushed;
omp_sched_t crf_omp_schedule = omp_sched_static;
int crf_omp_chunk;
static int of_environment;

/* [modifier:]kind[,chunk], in letters of either case. The parts of a loop come
 * in rising order here, so "monotonic" and its opposite change nothing. */
static void read_schedule(const char *text)
{
    static const char *const names[] = {"static", "dynamic", "guided", "auto"};
    const char *colon = strchr(text, ':'), *comma = strchr(text, ',');

    if (colon)
        text = colon + 1;
    text += strspn(text, " \t");
    for (uint32_t n = 0; n < 4; n++)
        if (strncasecmp(text, names[n], strlen(names[n])) == 0)
            crf_omp_schedule = (omp_sched_t)(n + 1);
    if (comma)
        crf_omp_chunk = atoi(comma + 1);
}

__attribute__((constructor)) static void read_environment(void)
{
    const char *threads = getenv("OMP_NUM_THREADS");
    const char *schedule = getenv("OMP_SCHEDULE");

    if (threads)
        of_environment = atoi(threads);
    if (schedule)
        read_schedule(schedule);
}

int crf_omp_threads_wanted(void)
{
    int wanted = crf_omp_pushed ? crf_omp_pushed : omp_get_max_threads();
    int most = omp_get_thread_limit();

    most = most < CRF_OMP_THREADS ? most : CRF_OMP_THREADS;
    return wanted < 1 ? 1 : wanted > most ? most : wanted;
}

void __kmpc_push_num_threads(struct crf_place *place, int32_t thread,
                             int32_t threads)
{
    (void)place;
    (void)thread;
    crf_omp_pushed = threads;
}

/* Threads have cores of their own. */
void __kmpc_push_proc_bind(struct crf_place *place, int32_t thread,
                           int32_t bind)
{
    (void)place;
    (void)thread;
    (void)bind;
}

void omp_set_num_threads(int threads)
{
    crf_omp_self.threads = threads;
}

int omp_get_num_threads(void)
{
    return crf_omp_self.size;
}

int omp_get_max_threads(void)
{
    int set = crf_omp_self.threads ? crf_omp_self.threads : of_environment;

    return set > 0 ? set : crf_all_ranks;
}

int omp_get_thread_num(void)
{
    return crf_omp_self.number;
}

int omp_get_num_procs(void)
{
    return crf_all_ranks;
}

int omp_in_parallel(void)
{
    return crf_omp_self.active > 1;
}

int omp_in_final(void)
{
    return crf_omp_self.final;
}

/* Teams are neither dynamic nor nested: the values that a program sets are only
 * returned to it. */
static int dynamic_asked, nested_asked;

void omp_set_dynamic(int dynamic)
{
    dynamic_asked = dynamic != 0;
}

int omp_get_dynamic(void)
{
    return dynamic_asked;
}

void omp_set_nested(int nested)
{
    nested_asked = nested != 0;
}

int omp_get_nested(void)
{
    return nested_asked;
}

void omp_set_max_active_levels(int levels)
{
    (void)levels;
}

int omp_get_max_active_levels(void)
{
    return 1;
}

int omp_get_level(void)
{
    return crf_omp_self.level;
}

int omp_get_active_level(void)
{
    return crf_omp_self.active > 1;
}

int omp_get_ancestor_thread_num(int level)
{
    if (level < 0 || level > crf_omp_self.level)
        return -1;
    if (level == crf_omp_self.level)
        return crf_omp_self.number;
    return level == 1 ? crf_omp_thread : 0;
}

int omp_get_team_size(int level)
{
    if (level < 0 || level > crf_omp_self.level)
        return -1;
    if (level == crf_omp_self.level)
        return crf_omp_self.size;
    return level == 1 && crf_omp_self.active ? crf_omp_self.active : 1;
}

void omp_set_schedule(omp_sched_t kind, int chunk)
{
    crf_omp_schedule = kind;
    crf_omp_chunk = chunk;
}

void omp_get_schedule(omp_sched_t *kind, int *chunk)
{
    *kind = crf_omp_schedule;
    *chunk = crf_omp_chunk;
}

int omp_get_cancellation(void)
{
    return 0;
}

int omp_get_num_places(void)
{
    return 0; /* no places are defined */
}

int omp_get_place_num(void)
{
    return -1;
}

int omp_get_place_num_procs(int place)
{
    (void)place;
    return 0;
}

void omp_get_place_proc_ids(int place, int *processors)
{
    (void)place;
    (void)processors;
}

int omp_get_partition_num_places(void)
{
    return 0;
}

void omp_get_partition_place_nums(int *places)
{
    (void)places;
}

int omp_get_max_task_priority(void)
{
    return 0;
}

int omp_get_supported_active_levels(void)
{
    return 1;
}

void omp_display_env(int verbose)
{
    (void)verbose;
    fprintf(stderr,
            "OPENMP DISPLAY ENVIRONMENT BEGIN\n"
            "  _OPENMP = '%d'\n"
            "  OMP_NUM_THREADS = '%d'\n"
            "  OMP_THREAD_LIMIT = '%d'\n"
            "OPENMP DISPLAY ENVIRONMENT END\n",
            CLANGS_OPENMP, omp_get_max_threads(), omp_get_thread_limit());
}

omp_proc_bind_t omp_get_proc_bind(void)
{
    return omp_proc_bind_true;
}

double omp_get_wtime(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

double omp_get_wtick(void)
{
    return 1e-9;
}
