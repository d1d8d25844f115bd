// All collectives, simple and best, on the world and on a part of it, with
// odd sizes, every root: the same bits.
// run: --cores 3,0,40,12,47,9,20 --tag none
// cc: -lrcce
// expect-stdout:
// bcast 0, reduce 0, allreduce 0, gather 0, scatter 0, alltoall 0 wrong
// a message between collectives arrives
// errors: 1234324 1234325 1234343 1234344
#include "RCCE.h"
#include "RCCE_collectives.h"

#include <string.h>

#define MAX 9000

static char a[7 * MAX], b[7 * MAX], c[7 * MAX];
static int wrong[6];

static int odd(int ue, void *aux)
{
    (void)aux;
    return ue % 2;
}

static void fill(char *data, int size, int seed)
{
    for (int i = 0; i < size; i++)
        data[i] = (char)(i * 31 + seed * 7);
}

static void floats(int num, int root, RCCE_COMM comm)
{
    float *in = (float *)a;
    for (int i = 0; i < num; i++)
        in[i] = 1.0f / (float)(i + 3 * RCCE_ue() + 1);
    memset(b, 0, MAX);
    memset(c, 0, MAX);
    RCCE_reduce(a, b, num, RCCE_FLOAT, RCCE_SUM, 0, comm);
    RCCE_bcast(b, (size_t)num * 4, 0, comm);
    RCCE_coll_allreduce(a, c, num, RCCE_FLOAT, RCCE_SUM, comm);
    wrong[2] += memcmp(b, c, (size_t)num * 4) != 0;
    memset(c, 0, MAX);
    RCCE_coll_reduce(a, c, num, RCCE_FLOAT, RCCE_SUM, root, comm);
    wrong[1] +=
        comm.my_rank == root ? memcmp(b, c, (size_t)num * 4) != 0 : c[0] != 0;
}

static void blocks(int size, int root, RCCE_COMM comm)
{
    int n = comm.size, me = comm.my_rank;
    fill(a, size, me);
    memset(b, 0, sizeof b);
    RCCE_coll_gather(a, b, (size_t)size, root, comm);
    for (int i = 0; i < n && me == root; i++) {
        fill(c, size, i);
        wrong[3] += memcmp(b + i * size, c, (size_t)size) != 0;
    }
    memset(c, 0, sizeof c);
    RCCE_coll_scatter(b, c, (size_t)size, root, comm);
    wrong[4] += memcmp(a, c, (size_t)size) != 0;
    for (int i = 0; i < n; i++)
        fill(a + i * size, size, me * 10 + i);
    memset(b, 0, sizeof b);
    RCCE_coll_alltoall(a, b, (size_t)size, comm);
    for (int i = 0; i < n; i++) {
        fill(c, size, i * 10 + me);
        wrong[5] += memcmp(b + i * size, c, (size_t)size) != 0;
    }
}

static void all(RCCE_COMM comm)
{
    static const int sizes[] = {1, 100, 5100};
    for (int s = 0; s < 3; s++) {
        int root = (s * 3 + 1) % comm.size;
        RCCE_coll_barrier(&comm);
        fill(a, sizes[s], comm.my_rank == root ? s : -1);
        fill(b, sizes[s], s);
        RCCE_coll_bcast(a, (size_t)sizes[s], root, comm);
        wrong[0] += memcmp(a, b, (size_t)sizes[s]) != 0;
        floats(sizes[s] / 4 + 1, root, comm);
        blocks(sizes[s], root, comm);
    }
}

static void messages(int me)
{
    int value = me;
    for (int i = 0; i < 5; i++) {
        RCCE_coll_bcast((char *)&value, 4, i, RCCE_COMM_WORLD);
        if (me == i)
            RCCE_send(b, 3000, i + 1);
        else if (me == i + 1)
            RCCE_recv(c, 3000, i);
        RCCE_coll_barrier(&RCCE_COMM_WORLD);
    }
    if (me == 0)
        puts("a message between collectives arrives");
}

int RCCE_APP(int argc, char **argv)
{
    int total[6];
    RCCE_COMM part = {0}, none = {0};
    RCCE_init(&argc, &argv);
    int me = RCCE_ue();
    RCCE_comm_split(odd, NULL, &part);
    all(RCCE_COMM_WORLD);
    all(part);
    for (int i = 0; i < RCCE_COLL_CALLS; i++)
        RCCE_coll_force((enum RCCE_coll_call)i, RCCE_COLL_SIMPLE);
    all(part);
    all(RCCE_COMM_WORLD);
    for (int i = 0; i < RCCE_COLL_CALLS; i++)
        RCCE_coll_force((enum RCCE_coll_call)i, RCCE_COLL_AUTO);
    RCCE_reduce((char *)wrong, (char *)total, 6, RCCE_INT, RCCE_SUM, 0,
                RCCE_COMM_WORLD);
    if (me == 0)
        printf("bcast %d, reduce %d, allreduce %d, gather %d, scatter %d, "
               "alltoall %d wrong\n",
               total[0], total[1], total[2], total[3], total[4], total[5]);
    messages(me);
    if (me == 0)
        printf("errors: %d %d %d %d\n",
               RCCE_coll_bcast(a, 4, 9, RCCE_COMM_WORLD),
               RCCE_coll_gather(a, b, 0, 0, RCCE_COMM_WORLD),
               RCCE_coll_barrier(&none),
               RCCE_coll_allreduce(a, b, 1, RCCE_INT, 5, RCCE_COMM_WORLD));
    return RCCE_finalize();
}
