/*
 * crf_init.c: devices, the control block, the start of each core.
 *
 * All cores run the same program. That of rank 0 goes on to the constructors
 * and main; the others wait for threads before any of the program's code.
 */
#include "crf_private.h"
#include "models/model.h"
#include "pages/pages.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "scc/memory_map.h"
#include "scc/registers.h"

struct crf_control *crf_control;
int crf_my_rank, crf_all_ranks;
int crf_core_of[CRF_CORES];
struct crf_counts crf_counted;

static volatile uint32_t *guards[CRF_CORES];

void *crf_map(const char *device, uint32_t physical, size_t bytes)
{
    int fd = open(device, O_RDWR | O_SYNC);
    void *mapped = crf_kernel_mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                                   MAP_SHARED, fd, physical);

    if (mapped == MAP_FAILED)
        crf_fail("threads need an SCC of 48 cores", "cannot map %s", device);
    close(fd);
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

/* A read of a test-and-set register takes it, a write gives it back. Several
 * numbers may mean the same one: who has it may take it again. */
static uint8_t held[CRF_CORES];

int crf_try_guard(uint32_t number)
{
    uint32_t which = number % (uint32_t)crf_all_ranks;

    if (!held[which] && !(*guards[which] & SCC_CRB_LOCK_FREE))
        return 0;
    held[which]++;
    return 1;
}

void crf_guard(uint32_t number)
{
    while (!crf_try_guard(number)) {
        for (int turn = 0; turn < 16; turn++)
            __asm__ volatile("");
        crf_watch_while_awake();
    }
}

void crf_unguard(uint32_t number)
{
    uint32_t which = number % (uint32_t)crf_all_ranks;

    if (--held[which] == 0)
        *guards[which] = 0;
}

/* By number: TILEID has the tile's place and the core's number in it. */
static int own_core(void)
{
    volatile uint32_t *own = crf_map("/dev/rckncm", SCC_CRB_OWN, CRF_PAGE);
    uint32_t id = own[SCC_CRB_TILEID / 4];
    uint32_t x = (id & SCC_CRB_TILEID_X) >> SCC_CRB_TILEID_X_SHIFT;
    uint32_t y = (id & SCC_CRB_TILEID_Y) >> SCC_CRB_TILEID_Y_SHIFT;

    if (id & SCC_CRB_TILEID_EXTENDED)
        crf_fail("leave out --chip", "threads need an SCC of 48 cores");
    return (int)(2 * (x + 6 * y) + (id & SCC_CRB_TILEID_REQUESTER));
}

/* Not by stdio, which would need malloc. */
static void read_launch(void)
{
    char text[1024], *at = text;
    int fd = open("/proc/rck/launch", O_RDONLY);
    ssize_t bytes = read(fd, text, sizeof text - 1);
    int self = own_core();

    close(fd);
    text[bytes > 0 ? bytes : 0] = 0;
    crf_all_ranks = (int)strtol(at, &at, 10);
    if (crf_all_ranks < 1 || crf_all_ranks > CRF_CORES)
        crf_fail("run it by `rck run -n 48 prog`", "no launch data");
    strtod(at, &at); /* the clock */
    crf_my_rank = -1;
    for (int rank = 0; rank < crf_all_ranks; rank++) {
        crf_core_of[rank] = (int)strtol(at, &at, 10);
        if (crf_core_of[rank] == self)
            crf_my_rank = rank;
    }
    if (crf_my_rank < 0)
        crf_fail("run it by `rck run`", "core %d is in no launch", self);
}

static void map_guards(void)
{
    for (int rank = 0; rank < crf_all_ranks; rank++) {
        uint32_t core = (uint32_t)crf_core_of[rank];
        uint32_t tile = SCC_CRB_BASE + core / 2 * SCC_CRB_BASE_STRIDE;

        guards[rank] =
            (volatile uint32_t *)crf_map("/dev/rckncm", tile, CRF_PAGE) +
            SCC_CRB_LOCK(core % 2) / 4;
    }
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
    map_guards();
    crf_control = crf_map("/dev/rckncm", SCC_SHARED_BASE, CRF_CONTROL_SIZE);
    crf_choose_model();
    crf_races_start();
    crf_pages_start();
    crf_wait_start();
    crf_local_find();
    if (crf_omp_keep_first_values)
        crf_omp_keep_first_values();
    if (crf_model->start)
        crf_model->start();
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
