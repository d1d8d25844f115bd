/*
 * start.c: cores, devices, places, start and end.
 */
#include <stdlib.h>
#include <sys/mman.h>

#include "scc/job.h"
#include "svp_private.h"

int svp_me, svp_ranks;
const int *svp_core;
bool svp_copies[CORES];
int svp_copiers[CORES], svp_copier_count;
enum svp_transport svp_transport;
struct svp_counts svp_counted;
bool svp_stopped;

static double clock_hz;
static int places[CORES], place_count;
static struct waiting stopping;
static uint32_t left_over;
static int answers;

#define GRACE 1000000u /* cycles */

void *svp_device(enum scc_memory memory, void *at, uint32_t physical,
                 uint32_t bytes)
{
    void *mapped =
        scc_map_at(memory, physical, bytes, at, at ? SCC_THERE : SCC_ANYWHERE,
                   PROT_READ | PROT_WRITE);

    if (!mapped)
        svp_fail("SVP needs an SCC of 48 cores",
                 "cannot map %u bytes of physical 0x%08x", (unsigned)bytes,
                 (unsigned)physical);
    return mapped;
}

volatile uint32_t *svp_lut(int rank)
{
    return scc_lut(svp_core[rank]);
}

static void read_launch(void)
{
    const struct scc_job *job = scc_job_on_the_scc(NAME);

    svp_ranks = job->ranks; /* from here on an error can be sent to others */
    svp_me = job->rank;
    svp_core = job->core_of;
    clock_hz = job->ghz * 1e9;
}

/* In turn for each controller, the core that is nearest to it. The first two
 * ranks never copy. */
static void choose_copiers(int count)
{
    for (int n = 0; n < count; n++) {
        int best = -1;

        for (int rank = 2; rank < svp_ranks; rank++)
            if (!svp_copies[rank] &&
                (best < 0 || scc_hops_to_controller(svp_core[rank], n % 4) <
                                 scc_hops_to_controller(svp_core[best], n % 4)))
                best = rank;
        svp_copies[best] = true;
        svp_copiers[svp_copier_count++] = best;
    }
}

/* Serves on cores other than rank 0, until rank 0 stops them. */
_Noreturn static void serve(void)
{
    struct message left = {.kind = LEFT};
    uint64_t until;

    while (!svp_stopped)
        svp_wait(&stopping);
    /* Messages of others may still be on their way. */
    until = __builtin_ia32_rdtsc() + GRACE;
    while (svp_counts()->left && __builtin_ia32_rdtsc() < until)
        svp_pass();
    left.word[0] = svp_counts()->left;
    svp_send(0, &left, NULL);
    svp_wire->end();
    exit(0);
}

void svp_stop(void)
{
    svp_stopped = true;
    svp_wake(&stopping);
}

void svp_left(uint32_t count)
{
    left_over += count;
    answers++;
    svp_wake(&stopping);
}

void svp_start(enum svp_transport transport, int copy_cores)
{
    if (svp_now)
        svp_fail("call it once", "svp_start was called twice");
    svp_contexts_start();
    read_launch();
    if (transport > SVP_COPY)
        svp_fail("SVP_ORIGINAL, SVP_DIRECT, SVP_REMAP or SVP_COPY",
                 "svp_start: %d is no transport", (int)transport);
    if (transport != SVP_COPY)
        copy_cores = 0;
    else if (copy_cores < 1 || copy_cores > svp_ranks - 2)
        svp_fail("name one at least; or give `rck run` more cores",
                 "svp_start: %d copy cores, and two places, of %d cores",
                 copy_cores, svp_ranks);
    svp_transport = transport;
    svp_wire_choose();
    choose_copiers(copy_cores);
    for (int rank = 0; rank < svp_ranks; rank++)
        if (!svp_copies[rank])
            places[place_count++] = rank;
    svp_memory_start();
    svp_window_start();
    svp_wire_start();
    if (svp_me != 0)
        serve();
}

int svp_end(void)
{
    struct message stop = {.kind = STOP};
    if (svp_now->family != &svp_root)
        svp_fail("call it in main", "svp_end was called by a thread");
    for (int rank = 1; rank < svp_ranks; rank++)
        svp_send(rank, &stop, NULL);
    while (answers < svp_ranks - 1)
        svp_wait(&stopping);
    svp_wire->end();
    return (int)(left_over + svp_counts()->left);
}

const struct svp_counts *svp_counts(void)
{
    /* The caller's own family and thread are not left over. */
    int own = svp_now->family == &svp_root ? 0 : 1;

    svp_counted.left = svp_families_here() - (uint32_t)own +
                       svp_children_here() + svp_contexts_used - (uint32_t)own +
                       svp_blocks() + svp_windows_open();
    return &svp_counted;
}

double svp_seconds(void)
{
    return (double)__builtin_ia32_rdtsc() / clock_hz;
}

int svp_places(void)
{
    return place_count;
}

svp_place svp_place_of(int number)
{
    if (number < 0 || number >= place_count)
        svp_fail("svp_places() tells how many there are",
                 "svp_place_of: there is no place %d of %d", number,
                 place_count);
    return places[number];
}

int svp_place_check(svp_place place, const char *call)
{
    int rank = place == SVP_HERE ? svp_me : place & 0xFF;

    if (place < SVP_HERE || rank >= svp_ranks || place >> 8 > SVP_EXCLUSIVES)
        svp_fail("svp_place_of() and svp_exclusive() give places",
                 "%s: %d is no place", call, place);
    if (svp_copies[rank])
        svp_fail("svp_place_of() gives places", "%s: core %d copies only", call,
                 svp_core[rank]);
    return rank;
}

svp_place svp_exclusive(svp_place place, int number)
{
    int rank = svp_place_check(place, "svp_exclusive");

    if (number < 1 || number > SVP_EXCLUSIVES)
        svp_fail("numbers are 1 to 15",
                 "svp_exclusive: there is no exclusive place %d", number);
    return rank | number << 8;
}

svp_place svp_here(void)
{
    return svp_me | svp_now->family->exclusive << 8;
}

int svp_core_of(svp_place place)
{
    return svp_core[svp_place_check(place, "svp_core_of")];
}

int svp_copy_core(int number)
{
    return number >= 0 && number < svp_copier_count
               ? svp_core[svp_copiers[number]]
               : -1;
}
