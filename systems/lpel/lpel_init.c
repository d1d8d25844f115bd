/*
 * lpel_init.c: start and end. The conductor borrows memory and informs the
 * workers which LUT entries show it, through their message buffers: there is
 * nothing else yet that all can see [karavadara-lpel, section 3.3].
 */
#include "lpel_private.h"
#include "lpel_peers.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "scc/job.h"

#define TIMESTAMP_MHZ 125u
#define DEFAULT_SEGMENTS 8
#define DEFAULT_CHUNK_KB 256
#define DEFAULT_STACK_KB 16

struct lpel_config lpel_configured;
struct lpel_shared *lpel_shared;
int lpel_awaited;
const struct lpel_scheduler *lpel_scheduler;
int lpel_my_rank, lpel_all_ranks;
const int *lpel_core_of;
RCCE_FLAG lpel_bell;

static volatile uint32_t *timestamp;

int lpel_rank(void)
{
    return lpel_my_rank;
}

int lpel_ranks(void)
{
    return lpel_all_ranks;
}

int lpel_outside(void)
{
    return lpel_all_ranks - lpel_configured.outside;
}

enum lpel_variant lpel_variant(void)
{
    return lpel_configured.variant;
}

int lpel_variant_named(const char *name)
{
    static const char *const names[] = {"uncached", "stacks", "messages"};

    for (int n = 0; n < 3; n++)
        if (!strcmp(names[n], name))
            return n;
    return -1;
}

int lpel_is_static(void)
{
    return lpel_configured.variant == LPEL_MESSAGES;
}

void *lpel_map(enum scc_memory memory, uint32_t at, uint32_t physical,
               size_t bytes)
{
    void *mapped =
        scc_map_at(memory, physical, bytes, (void *)(uintptr_t)at,
                   at ? SCC_IF_FREE : SCC_ANYWHERE, PROT_READ | PROT_WRITE);

    if (!mapped)
        lpel_fail("leave addresses from 0x20000000 on to LPEL",
                  "cannot map %zu bytes of physical 0x%08x at 0x%08x", bytes,
                  (unsigned)physical, (unsigned)at);
    return mapped;
}

/* Empties L1 and L2. */
void lpel_flush(void)
{
    if (!scc_flush_l2())
        lpel_fail("run it by `rck run`", "the kernel cannot flush the caches");
}

uint64_t lpel_time_us(void)
{
    uint32_t high, low;

    do {
        high = timestamp[SCC_FPGA_TIMESTAMP_HIGH % LPEL_PAGE / 4];
        low = timestamp[SCC_FPGA_TIMESTAMP_LOW % LPEL_PAGE / 4];
    } while (high != timestamp[SCC_FPGA_TIMESTAMP_HIGH % LPEL_PAGE / 4]);
    return ((uint64_t)high << 32 | low) / TIMESTAMP_MHZ;
}

static int or_default(int value, int other)
{
    return value ? value : other;
}

static void check(const char *name, int value, int least, int most)
{
    if (value < least || value > most)
        lpel_fail("lpel.h says what it means",
                  "the configuration's %s is %d, not %d to %d", name, value,
                  least, most);
}

static void configure(const struct lpel_config *config)
{
    struct lpel_config *c = &lpel_configured;

    if (config)
        *c = *config;
    c->segments = or_default(c->segments, DEFAULT_SEGMENTS);
    c->chunk_kb = or_default(c->chunk_kb, DEFAULT_CHUNK_KB);
    c->stack_kb = or_default(c->stack_kb, DEFAULT_STACK_KB);
    c->messages = or_default(c->messages, 1);
    check("variant", (int)c->variant, LPEL_UNCACHED, LPEL_MESSAGES);
    check("donor_count", c->donor_count, 0, LPEL_DONORS);
    check("segments", c->segments, 1, INT_MAX);
    check("outside", c->outside, 0, lpel_all_ranks);
    check("chunk_kb", c->chunk_kb, 4, INT_MAX / 1024);
    check("stack_kb", c->stack_kb, 1, INT_MAX / 1024);
    check("messages", c->messages, 1, INT_MAX);
    check("limit_ms", c->limit_ms, 0, INT_MAX / 1000);
    lpel_scheduler = lpel_is_static() ? &lpel_static : &lpel_demand;
}

static void share_memory(void)
{
    struct lpel_loan loan = {.count = 0};

    lpel_awaited = lpel_my_rank == 0;
    if (lpel_awaited)
        lpel_borrow(&loan);
    lpel_awaited = 0;
    RCCE_bcast((char *)&loan, sizeof loan, 0, RCCE_COMM_WORLD);
    if (loan.count < 0)
        exit(1); /* the conductor has said why */
    lpel_use_loan(&loan);
    lpel_shared = (struct lpel_shared *)LPEL_BASE;
    lpel_guards_start();
    if (lpel_my_rank == 0) {
        lpel_shared->failed = 0;
        lpel_chunks_start(&loan);
    }
    lpel_shared->garbage[lpel_my_rank] = NULL;
    lpel_shared->mailbox[lpel_my_rank].first = 0;
    lpel_shared->mailbox[lpel_my_rank].count = 0;
}

void lpel_init(int *argc, char ***argv, const struct lpel_config *config)
{
    const struct scc_job *job;

    if (lpel_all_ranks)
        lpel_fail("call it once", "lpel_init was called twice");
    RCCE_init(argc, argv);
    job = scc_job_on_the_scc(LPEL_NAME);
    lpel_my_rank = job->rank;
    lpel_all_ranks = job->ranks;
    lpel_core_of = job->core_of;
    configure(config);
    RCCE_flag_alloc(&lpel_bell);
    RCCE_flag_write(&lpel_bell, RCCE_FLAG_UNSET, lpel_my_rank);
    timestamp = scc_fpga(SCC_FPGA_TIMESTAMP_LOW & ~(LPEL_PAGE - 1));
    lpel_faults_start();
    if (!lpel_is_static())
        share_memory();
    else if (!lpel_peers)
        lpel_fail("make tcpip, and link with -llpel -lrcce -llwip -ltcpip",
                  "LPEL_MESSAGES goes over TCP/IP, which this program does "
                  "not have");
    RCCE_barrier(&RCCE_COMM_WORLD);
}

void lpel_run(void (*build)(void *), void *argument)
{
    lpel_scheduler->work(build, argument);
    RCCE_barrier(&RCCE_COMM_WORLD);
}

struct lpel_usage lpel_usage(void)
{
    struct lpel_usage own, all;

    RCCE_barrier(&RCCE_COMM_WORLD);
    lpel_heap_count(&own);
    RCCE_allreduce((char *)&own, (char *)&all, sizeof own / sizeof(int),
                   RCCE_INT, RCCE_SUM, RCCE_COMM_WORLD);
    return all;
}

void lpel_finalize(void)
{
    RCCE_barrier(&RCCE_COMM_WORLD);
    if (!lpel_is_static())
        lpel_give_back();
    RCCE_finalize();
}
