/*
 * start.cpp: the job's start and end, barriers, errors.
 */
#include "mesh_private.h"

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace mesh
{
namespace detail
{
int my_rank, rank_count;
int core_of[RCCE_MAXNP];

void *map_device(const char *device, uintptr_t at, uint32_t physical,
                 size_t bytes)
{
    int fd = open(device, O_RDWR | O_SYNC);
    void *mapped =
        mmap(reinterpret_cast<void *>(at), bytes, PROT_READ | PROT_WRITE,
             MAP_SHARED | (at ? MAP_FIXED : 0), fd, (off_t)physical);

    if (mapped == MAP_FAILED)
        fail("MESH maps message buffers and shared memory: a program that "
             "maps much itself leaves no room",
             "%s: cannot map %zu bytes of physical 0x%08x", device, bytes,
             (unsigned)physical);
    close(fd);
    return mapped;
}

static void read_launch()
{
    FILE *launch = fopen("/proc/rck/launch", "r");
    int cores = 0;

    if (!launch || fscanf(launch, "%d %*s", &cores) != 1 || cores != rank_count)
        fail("run the program by `rck run`", "no launch data");
    for (int rank = 0; rank < cores; rank++)
        if (rank == RCCE_MAXNP || fscanf(launch, "%d", &core_of[rank]) != 1 ||
            (unsigned)core_of[rank] >= RCCE_MAXNP)
            fail("leave out --chip", "MESH needs an SCC of 48 cores");
    fclose(launch);
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
    /* On a larger chip there are ranks without a core that is known. */
    int core = rank() < RCCE_MAXNP ? detail::core_of[rank()] : -1;
    va_list arguments;

    fflush(stdout);
    fprintf(stderr, "mesh: UE %d (core %d): ", rank(), core);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fprintf(stderr, "\nhint: %s\n", hint);
    exit(1);
}
} // namespace mesh

using namespace mesh;

void mesh_open(int *argc, char ***argv)
{
    if (detail::rank_count)
        fail("a program has one mesh::Job", "a second Job began");
    if (RCCE_init(argc, argv) != RCCE_SUCCESS)
        fail("run the program by `rck run`", "RCCE_init failed");
    detail::my_rank = RCCE_ue();
    detail::rank_count = RCCE_num_ues();
    detail::read_launch();
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
