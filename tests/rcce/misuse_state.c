// Misuse that depends on what others did: sizes that differ, a lock that
// another UE holds, things freed twice, the MPB exhausted. Each gets its
// code, and what follows works.
// run: -n 2 --tag none
// cc: -lrcce
// expect-stdout:
// sizes differ: 1234325 here and there, buffer untouched
// negative size: 1234325 1234325
// lock of another: 1234324, still held
// freed twice: 1234333 1234343
// exhausted: 1234333 after 14 communicators
// then all works: 42
// expect-stderr: UE 1: error 1234322
#include "RCCE.h"

#include <string.h>

static int everyone(int ue, void *aux)
{
    (void)ue;
    (void)aux;
    return 0;
}

static void sizes(int me)
{
    static char data[9000];
    int codes[2];
    memset(data, me ? 0 : 'x', sizeof data);
    codes[me] = me == 0 ? RCCE_send(data, 8000, 1) : RCCE_recv(data, 9000, 0);
    int untouched = data[0] == (me ? 0 : 'x');
    RCCE_bcast((char *)&codes[0], sizeof(int), 0, RCCE_COMM_WORLD);
    if (me == 1)
        printf("sizes differ: %d %s and there, buffer %s\n", codes[1],
               codes[0] == codes[1] ? "here" : "only here",
               untouched ? "untouched" : "written");
    if (me == 1)
        printf("negative size: %d %d\n", RCCE_send(data, (size_t)-1, 0),
               RCCE_recv(data, (size_t)-5, 0));
    RCCE_barrier(&RCCE_COMM_WORLD);
}

static void locks(int me)
{
    if (me == 0)
        RCCE_acquire_lock(0);
    RCCE_barrier(&RCCE_COMM_WORLD);
    if (me == 1) {
        int error = RCCE_release_lock(0);
        printf("lock of another: %d, %s\n", error,
               RCCE_release_lock(0) ? "still held" : "free");
    }
    RCCE_barrier(&RCCE_COMM_WORLD);
    if (me == 0)
        RCCE_release_lock(0);
    RCCE_barrier(&RCCE_COMM_WORLD);
}

static void twice(int me)
{
    RCCE_FLAG flag, copy;
    RCCE_COMM comm = {0};
    RCCE_flag_alloc(&flag);
    copy = flag;
    RCCE_flag_free(&flag);
    RCCE_comm_split(everyone, NULL, &comm);
    RCCE_comm_free(&comm);
    int error = RCCE_flag_free(&copy);
    if (me == 1)
        printf("freed twice: %d %d\n", error, RCCE_comm_free(&comm));
    t_vcharp block = RCCE_malloc(32);
    RCCE_free(block);
    if (me == 1)
        RCCE_debug_set(RCCE_DEBUG_COMM);
    RCCE_free(block);
    RCCE_debug_unset(RCCE_DEBUG_COMM);
}

static void exhaust(int me)
{
    static RCCE_COMM comms[40];
    int count = 0, error;
    while (!(error = RCCE_comm_split(everyone, NULL, &comms[count])))
        count++;
    if (me == 1)
        printf("exhausted: %d after %d communicators\n", error, count);
    for (int i = 0; i < count; i++)
        RCCE_comm_free(&comms[i]);
}

int RCCE_APP(int argc, char **argv)
{
    int value = 0;
    if (RCCE_init(&argc, &argv))
        return 1;
    int me = RCCE_ue();
    sizes(me);
    locks(me);
    twice(me);
    exhaust(me);
    RCCE_barrier(&RCCE_COMM_WORLD);
    if (me == 0)
        value = 42;
    RCCE_bcast((char *)&value, sizeof value, 0, RCCE_COMM_WORLD);
    if (me == 1)
        printf("then all works: %d\n", value);
    return RCCE_finalize();
}
