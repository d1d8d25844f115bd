// More UEs than the SCC has cores: the compact forms of channels and
// communicators.
// cc: -O2 -lrcce
// run: --chip scc-128 --cores 0-30,127,32-63,100
// expect-stdout:
// [000] 65 UEs: ring, collectives, 33 and 32 members, locks: right
#include "RCCE.h"
#include "RCCE_collectives.h"

#include <string.h>

static int wrong;

static void expect(int condition, const char *what)
{
    if (condition)
        return;
    wrong = 1;
    printf("UE %d: %s\n", RCCE_ue(), what);
}

/* Longer than the message buffer, to the next UE. */
static void ring(int me, int all)
{
    static char out[9000], in[9000];
    int next = (me + 1) % all, before = (me + all - 1) % all;

    memset(out, me + 1, sizeof out);
    if (me % 2 == 0 && me != all - 1) {
        RCCE_send(out, sizeof out, next);
        RCCE_recv(in, sizeof in, before);
    } else {
        RCCE_recv(in, sizeof in, before);
        RCCE_send(out, sizeof out, next);
    }
    for (size_t n = 0; n < sizeof in; n++)
        if (in[n] != (char)(before + 1)) {
            expect(0, "the ring brought other bytes");
            return;
        }
}

static int odd(int ue, void *aux)
{
    (void)aux;
    return ue % 2;
}

static void sums(RCCE_COMM comm, int members, int expected)
{
    int me = RCCE_ue(), sum = 0, size, rank;

    RCCE_comm_size(comm, &size);
    RCCE_comm_rank(comm, &rank);
    expect(size == members && rank == (members == 65 ? me : me / 2),
           "wrong place in a communicator");
    RCCE_allreduce((char *)&me, (char *)&sum, 1, RCCE_INT, RCCE_SUM, comm);
    expect(sum == expected, "wrong sum");
    sum = 0;
    RCCE_coll_allreduce((char *)&me, (char *)&sum, 1, RCCE_INT, RCCE_SUM, comm);
    expect(sum == expected, "wrong sum of the fast collective");
    RCCE_coll_barrier(&comm);
}

static void locked(volatile int *shared)
{
    RCCE_acquire_lock(64);
    *shared += 1;
    RCCE_release_lock(64);
}

int RCCE_APP(int argc, char **argv)
{
    RCCE_COMM half = {0};
    RCCE_init(&argc, &argv);
    int me = RCCE_ue(), all = RCCE_num_ues();
    volatile int *shared = (volatile int *)RCCE_shmalloc(32);

    ring(me, all);
    sums(RCCE_COMM_WORLD, 65, 65 * 32);
    RCCE_comm_split(odd, NULL, &half);
    if (me % 2)
        sums(half, 32, 32 * 32);
    else
        sums(half, 33, 33 * 32);
    if (me == 0)
        *shared = 0;
    RCCE_barrier(&RCCE_COMM_WORLD);
    locked(shared);
    RCCE_barrier(&RCCE_COMM_WORLD);
    expect(*shared == all, "the lock let two in");
    int whole = 0;
    RCCE_reduce((char *)&wrong, (char *)&whole, 1, RCCE_INT, RCCE_SUM, 0,
                RCCE_COMM_WORLD);
    if (me == 0 && !whole)
        printf("%d UEs: ring, collectives, 33 and 32 members, locks: right\n",
               all);
    RCCE_finalize();
    return wrong;
}
