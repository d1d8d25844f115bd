/*
 * start.cpp: the job's start and end, barriers, errors.
 */
#include "mesh_private.h"

#include <cstdarg>
#include <cstdlib>
#include <sys/mman.h>

#include "scc/job.h"
#include "scc/say.h"

namespace mesh
{
namespace detail
{
int my_rank, rank_count;
const int *core_of;

void *map_memory(scc_memory memory, uintptr_t at, uint32_t physical,
                 size_t bytes)
{
    void *mapped =
        scc_map_at(memory, physical, bytes, reinterpret_cast<void *>(at),
                   at ? SCC_THERE : SCC_ANYWHERE, PROT_READ | PROT_WRITE);

    if (!mapped)
        fail("MESH maps message buffers and shared memory: a program that "
             "maps much itself leaves no room",
             "cannot map %zu bytes of physical 0x%08x", bytes,
             (unsigned)physical);
    return mapped;
}

/* The barrier: cores that have come, of this one and those below it in the
 * tree whose root is UE 0. */
struct Nothing {};
static int arrived;
static volatile int barriers;

static int children()
{
    int below = my_rank ? my_rank & -my_rank : RCCE_MAXNP, count = 0;

    for (int bit = 1; bit < below && my_rank + bit < rank_count; bit *= 2)
        count++;
    return count;
}

static void arrive(const Message &)
{
    if (++arrived <= children())
        return;
    arrived = 0;
    if (my_rank)
        send(my_rank & (my_rank - 1), arrive, Nothing(), UNCOUNTED);
    else
        map_all([] { barriers = barriers + 1; });
}

/* All cores serve until as many messages have come as were sent, twice in a
 * row: then none is under way that could send another one. */
static void wait_for_silence()
{
    Traffic before{1, 0};

    for (;;) {
        Future<Traffic> future;
        auto add = [](Traffic a, Traffic b) {
            return Traffic{a.sent + b.sent, a.received + b.received};
        };
        reduce_all([] { return traffic(); }, add, future, UNCOUNTED);
        Traffic now = future.get();
        if (now.sent == now.received && now.sent == before.sent)
            return;
        before = now;
    }
}
} // namespace detail

void barrier()
{
    int before = detail::barriers;

    detail::arrive({});
    wait([before] { return detail::barriers != before; });
}

void settle()
{
    barrier();
    if (rank() == 0)
        detail::wait_for_silence();
    barrier();
}

void fail(const char *hint, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    scc_say(NAME, hint, format, arguments);
    va_end(arguments);
    exit(SCC_EXIT_FAILED);
}
} // namespace mesh

using namespace mesh;

void mesh_open(int *argc, char ***argv)
{
    if (detail::rank_count)
        fail("a program has one mesh::Job", "a second Job began");
    if (RCCE_init(argc, argv) != RCCE_SUCCESS)
        fail("run the program by `rck run`", "RCCE_init failed");
    const struct scc_job *job = scc_job_on_the_scc(NAME);

    detail::my_rank = job->rank;
    detail::rank_count = job->ranks;
    detail::core_of = job->core_of;
    detail::open_memory();
    detail::open_flush();
    detail::open_channels();
    RCCE_barrier(&RCCE_COMM_WORLD);
}

void mesh_close()
{
    settle();
    RCCE_finalize();
}
