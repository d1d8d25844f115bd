// Broadcast, reduce and allreduce with every type and operator, on all UEs
// and on a part of them.
// run: -n 6 --tag none
// also: --kernel l4
// cc: -lrcce
// expect-stdout:
// world of 6: 32 results right
// part of 3: 32 results right
#include "RCCE.h"

#define NUM 10

static const int ops[] = {RCCE_SUM, RCCE_MIN, RCCE_MAX, RCCE_PROD};

/* What member `rank` brings at place i: small enough for every product. */
static int value(int rank, int i)
{
    return rank + 1 + i % 3;
}

static int expected(int op, int size, int i)
{
    int result = value(0, i);
    for (int rank = 1; rank < size; rank++) {
        int v = value(rank, i);
        if (op == RCCE_SUM)
            result += v;
        else if (op == RCCE_PROD)
            result *= v;
        else if (op == RCCE_MIN ? v < result : v > result)
            result = v;
    }
    return result;
}

/* One type: reduce to a root in the middle and allreduce, each operator. */
#define DEFINE_TRY(name, element, type)                                        \
    static int name(RCCE_COMM comm, int rank, int size)                        \
    {                                                                          \
        element in[NUM], out[NUM];                                             \
        int right = 0;                                                         \
        for (int o = 0; o < 4; o++) {                                          \
            for (int all = 0; all < 2; all++) {                                \
                int ok = 1, root = size / 2;                                   \
                for (int i = 0; i < NUM; i++) {                                \
                    in[i] = (element)value(rank, i);                           \
                    out[i] = 0;                                                \
                }                                                              \
                int error = all ? RCCE_allreduce((char *)in, (char *)out, NUM, \
                                                 type, ops[o], comm)           \
                                : RCCE_reduce((char *)in, (char *)out, NUM,    \
                                              type, ops[o], root, comm);       \
                for (int i = 0; i < NUM; i++)                                  \
                    if (all || rank == root)                                   \
                        ok &= out[i] == (element)expected(ops[o], size, i);    \
                right += ok && !error;                                         \
            }                                                                  \
        }                                                                      \
        return right;                                                          \
    }

DEFINE_TRY(try_int, int, RCCE_INT)
DEFINE_TRY(try_long, long, RCCE_LONG)
DEFINE_TRY(try_float, float, RCCE_FLOAT)
DEFINE_TRY(try_double, double, RCCE_DOUBLE)

static int parity(int ue, void *aux)
{
    (void)aux;
    return ue % 2;
}

static void try_all(const char *name, RCCE_COMM comm)
{
    int rank, size, least;
    RCCE_comm_rank(comm, &rank);
    RCCE_comm_size(comm, &size);
    int right = try_int(comm, rank, size) + try_long(comm, rank, size) +
                try_float(comm, rank, size) + try_double(comm, rank, size);
    /* The word of the member who saw least is what counts. */
    RCCE_reduce((char *)&right, (char *)&least, 1, RCCE_INT, RCCE_MIN, 0, comm);
    char text[40] = "";
    if (rank == 0)
        snprintf(text, sizeof text, "%s of %d: %d results right", name, size,
                 least);
    RCCE_bcast(text, sizeof text, 0, comm);
    if (RCCE_ue() == 0)
        puts(text);
}

int RCCE_APP(int argc, char **argv)
{
    RCCE_COMM part = {0};

    if (RCCE_init(&argc, &argv))
        return 1;
    try_all("world", RCCE_COMM_WORLD);
    if (RCCE_comm_split(parity, NULL, &part))
        return 2;
    try_all("part", part);
    RCCE_barrier(&part);
    if (RCCE_comm_free(&part))
        return 3;
    return RCCE_finalize();
}
