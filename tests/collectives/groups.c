// Groups by random colours, ten times over: each group, whatever its size,
// does every collective of both libraries with a root of its own, all groups
// at once.
// run: --cores 0,1,11,12,13,23,24,30,35,36,41,46,47 --tag none
// cc: -lrcce
// expect-stdout:
// 10 splits: 0 wrong
#include "RCCE.h"
#include "RCCE_collectives.h"

#include <stdint.h>
#include <string.h>

#define SPLITS 10
#define MOST 300

static uint32_t seed = 12345;
static int wrong;
static int in[MOST * RCCE_MAXNP], out[MOST * RCCE_MAXNP];

static uint32_t next(void)
{
    seed = seed * 1664525 + 1013904223;
    return seed >> 16;
}

struct colours {
    uint32_t seed;
    int count;
};

static int colour(int ue, void *aux)
{
    const struct colours *c = aux;

    return (int)(((uint32_t)ue + 1) * 2654435761u * c->seed >> 20) % c->count;
}

static void expect(int right)
{
    wrong += !right;
}

/* What member `ue` has at place `i`. */
static int value(int ue, int i)
{
    return ue * 1000 + i;
}

static void mine(int count)
{
    for (int i = 0; i < count; i++)
        in[i] = value(RCCE_ue(), i);
    memset(out, 0, (size_t)count * 4);
}

static void reductions(RCCE_COMM comm, int root, int count)
{
    char *from = (char *)in, *to = (char *)out;

    for (int way = 0; way < 4; way++) {
        mine(count);
        if (way == 0)
            RCCE_reduce(from, to, count, RCCE_INT, RCCE_SUM, root, comm);
        else if (way == 1)
            RCCE_coll_reduce(from, to, count, RCCE_INT, RCCE_SUM, root, comm);
        else if (way == 2)
            RCCE_allreduce(from, to, count, RCCE_INT, RCCE_SUM, comm);
        else
            RCCE_coll_allreduce(from, to, count, RCCE_INT, RCCE_SUM, comm);
        for (int i = 0; i < count && (way > 1 || comm.my_rank == root); i++) {
            int sum = 0;
            for (int n = 0; n < comm.size; n++)
                sum += value(comm.member[n], i);
            expect(out[i] == sum);
        }
    }
}

static void broadcasts(RCCE_COMM comm, int root, int count)
{
    for (int way = 0; way < 2; way++) {
        mine(count);
        (way ? RCCE_coll_bcast : RCCE_bcast)((char *)in, (size_t)count * 4,
                                             root, comm);
        for (int i = 0; i < count; i++)
            expect(in[i] == value(comm.member[root], i));
    }
}

static void exchanges(RCCE_COMM comm, int root, int count)
{
    size_t bytes = (size_t)count * 4;

    mine(count);
    RCCE_coll_gather((char *)in, (char *)out, bytes, root, comm);
    for (int n = 0; n < comm.size && comm.my_rank == root; n++)
        for (int i = 0; i < count; i++)
            expect(out[n * count + i] == value(comm.member[n], i));
    mine(count * comm.size);
    RCCE_coll_scatter((char *)in, (char *)out, bytes, root, comm);
    for (int i = 0; i < count; i++)
        expect(out[i] == value(comm.member[root], comm.my_rank * count + i));
    mine(count * comm.size);
    RCCE_coll_alltoall((char *)in, (char *)out, bytes, comm);
    for (int n = 0; n < comm.size; n++)
        for (int i = 0; i < count; i++)
            expect(out[n * count + i] ==
                   value(comm.member[n], comm.my_rank * count + i));
}

int RCCE_APP(int argc, char **argv)
{
    int all = 0;

    RCCE_init(&argc, &argv);
    for (int n = 0; n < SPLITS; n++) {
        RCCE_COMM comm = {0};
        struct colours c = {next() | 1, 1 + (int)(next() % 5)};
        int root = (int)next(), count = 1 + (int)(next() % MOST);
        RCCE_comm_split(colour, &c, &comm);
        /* Groups differ in what they do. */
        count = 1 + count * (1 + comm.member[0] % 3) / 3;
        root = root % comm.size;
        broadcasts(comm, root, count);
        RCCE_barrier(&comm);
        reductions(comm, root, count);
        RCCE_coll_barrier(&comm);
        exchanges(comm, root, count / comm.size + 1);
        expect(RCCE_comm_free(&comm) == RCCE_SUCCESS);
    }
    RCCE_reduce((char *)&wrong, (char *)&all, 1, RCCE_INT, RCCE_SUM, 0,
                RCCE_COMM_WORLD);
    if (RCCE_ue() == 0)
        printf("%d splits: %d wrong\n", SPLITS, all);
    return RCCE_finalize();
}
