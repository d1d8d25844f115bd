/*
 * crf_init.c: devices, the control block, the start of each core.
 *
 * All cores run the same program. The core of rank 0 goes on to the
 * constructors and main; the others wait for threads before any of its code.
 */
#include "crf_private.h"
#include "models/model.h"
#include "pages/pages.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "scc/job.h"

struct crf_control *crf_control;
int crf_my_rank, crf_all_ranks;
const int *crf_core_of;
struct crf_counts crf_counted;

void *crf_map(enum scc_memory memory, uint32_t physical, size_t bytes)
{
    void *mapped = scc_map(memory, physical, bytes);

    if (!mapped)
        crf_fail("threads need an SCC of 48 cores",
                 "cannot map physical 0x%08x", (unsigned)physical);
    return mapped;
}

void *crf_private_memory(size_t bytes)
{
    void *memory = crf_kernel_mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                                   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (memory == MAP_FAILED)
        crf_fail("fewer threads, fewer pages written between two locks",
                 "core %d has no private memory left",
                 crf_core_of[crf_my_rank]);
    return memory;
}

static scc_lock *guards[CRF_CORES]; /* by rank */

/* Several numbers may mean one register: who has it may take it again. */
int crf_try_guard(uint32_t number)
{
    uint32_t rank = number % (uint32_t)crf_all_ranks;

    return scc_guard_try(guards[rank], crf_core_of[rank]);
}

void crf_guard(uint32_t number)
{
    while (!crf_try_guard(number)) {
        scc_pause(16);
        crf_watch_while_awake();
    }
}

void crf_unguard(uint32_t number)
{
    uint32_t rank = number % (uint32_t)crf_all_ranks;

    scc_guard_give(guards[rank], crf_core_of[rank]);
}

static void read_launch(void)
{
    const struct scc_job *job = scc_job();

    if (!job)
        crf_fail("run it by `rck run -n 48 prog`", "no launch data");
    if (job->ranks > CRF_CORES || job->core >= CRF_CORES)
        crf_fail("leave out --chip", "threads need an SCC of 48 cores");
    crf_all_ranks = job->ranks;
    crf_my_rank = job->rank;
    crf_core_of = job->core_of;
}

/* What others have fixed places for is left to them; the control block's place
 * is fixed, too. */
static void claim(void)
{
    const struct scc_claim *other =
        scc_claim_in_the_way(SCC_SHARED, SCC_ALONE, 0, CRF_CONTROL_SIZE, NAME);

    if (other)
        crf_fail("leave one of the two out of this program",
                 "the begin of the shared memory belongs to %s", other->owner);
    scc_claim(SCC_SHARED, SCC_ALONE, 0, CRF_CONTROL_SIZE, NAME);
    scc_claim(SCC_LOCK, SCC_TOGETHER, 0, SCC_CORES, NAME);
    for (int rank = 0; rank < crf_all_ranks; rank++)
        guards[rank] = scc_lock_of(crf_core_of[rank]);
}

/* The program has ended on one core: it ends on all. */
void crf_end_all(void)
{
    if (crf_control->ending)
        return;
    crf_control->ending = 1;
    for (int rank = 0; rank < crf_all_ranks; rank++)
        crf_control->news[rank] = ~0u;
    crf_wake_all();
}

/* The libraries' data are each core's: what sets them up runs on each. That of
 * the program itself runs on the first core alone. */
static void set_up_libraries(void (*self)(void))
{
    extern void (*const __init_array_start[])(void);
    extern void (*const __init_array_end[])(void);
    extern char crf_text_first[], crf_text_last[];

    for (void (*const *at)(void) = __init_array_start; at < __init_array_end;
         at++) {
        char *code = (char *)*at;

        if (*at != self && (code < crf_text_first || code >= crf_text_last))
            (*at)();
    }
}

static void start(void)
{
    read_launch();
    claim();
    crf_control = crf_map(SCC_UNCACHED, SCC_SHARED_BASE, CRF_CONTROL_SIZE);
    crf_choose_model();
    crf_pages_start();
    crf_wait_start();
    crf_local_find();
    if (crf_omp_keep_first_values)
        crf_omp_keep_first_values();
    if (crf_model->start)
        crf_model->start();
    scc_map_close(); /* low numbers of files are the program's */
    if (crf_my_rank != 0) {
        set_up_libraries(start);
        crf_work();
    }
    crf_control->process = (uint32_t)syscall(SYS_getpid);
    atexit(crf_end_all);
}

/* Before all constructors, those of the C++ library too. */
__attribute__((section(".init_array.00001"),
               used)) static void (*const first)(void) = start;

const struct crf_counts *crf_counts(void)
{
    return &crf_counted;
}

int crf_rank(void)
{
    return crf_my_rank;
}

int crf_ranks(void)
{
    return crf_all_ranks;
}
