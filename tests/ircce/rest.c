// What the other tests leave out: the names of before, receives in pieces,
// pushes, tests of wait lists, queries, counters that are written, iRCCE's
// broadcast and flags, its copies, and RCCE_fence.
// run: --cores 5,44,17,2 --tag none
// also-slow: --kernel l4
// cc: -lircce -lrcce
// expect-stdout:
// names of before: right
// pushed: right, to 1
// lists: 3 of 3 at once, 3 one by one, then -4
// counter: 41 42 43
// broadcasts: 12 of 12 right
// flags: 0 then 1, tag 9 then there, right
// copies: right
// fence: right
#include "iRCCE.h"
#include "iRCCE_lib.h"

#include <string.h>

static char data[9000], other[9000];
static int me;

static void fill(char *to, int size, int seed)
{
    for (int i = 0; i < size; i++)
        to[i] = (char)(i * 3 + seed);
}

static int is_right(const char *from, int size, int seed)
{
    for (int i = 0; i < size; i++)
        if (from[i] != (char)(i * 3 + seed))
            return 0;
    return 1;
}

static int sum(int mine)
{
    int all = 0;

    RCCE_allreduce((char *)&mine, (char *)&all, 1, RCCE_INT, RCCE_SUM,
                   RCCE_COMM_WORLD);
    return all;
}

static void names_of_before(void)
{
    RCCE_SEND_REQUEST sending;
    RCCE_RECV_REQUEST receiving;
    int right = 1;

    fill(data, 100, me);
    if (me == 0) {
        RCCE_isend(data, 100, 3, &sending);
        RCCE_isend_wait(&sending);
        iRCCE_recv(other, 5000, 3);
        right = is_right(other, 5000, 8);
        printf("names of before: %s\n", right ? "right" : "wrong");
    } else if (me == 3) {
        RCCE_irecv(other, 100, 0, &receiving);
        RCCE_irecv_wait(&receiving);
        fill(data, 5000, is_right(other, 100, 0) ? 8 : 9);
        iRCCE_send(data, 5000, 0);
    }
}

/* The sender's pushes alone take a long message through; the receiver tests. */
static void pushed(void)
{
    iRCCE_SEND_REQUEST sending;
    iRCCE_RECV_REQUEST receiving;
    int done = 0;

    if (me == 0) {
        fill(data, 9000, 4);
        iRCCE_issend(data, 9000, 1, &sending);
        while (!sending.finished)
            iRCCE_isend_push();
        iRCCE_irecv(other, 1, 1, NULL);
        printf("pushed: %s, to %d\n", other[0] ? "right" : "wrong",
               iRCCE_get_dest(&sending));
    } else if (me == 1) {
        iRCCE_isrecv(data, 9000, 0, &receiving);
        while (!done) {
            iRCCE_irecv_push();
            iRCCE_irecv_test(&receiving, &done);
        }
        other[0] = (char)is_right(data, 9000, 4);
        iRCCE_isend(other, 1, 0, NULL);
    }
}

static void lists(void)
{
    iRCCE_WAIT_LIST list;
    iRCCE_RECV_REQUEST request[3], *done = NULL;
    iRCCE_SEND_REQUEST *sent;
    int test = 0, all, single = 0;

    for (int round = 0; round < 2; round++) {
        if (me != 0) {
            fill(data, 64, me);
            RCCE_send(data, 64, 0);
            continue;
        }
        iRCCE_init_wait_list(&list);
        for (int ue = 1; ue < 4; ue++) {
            iRCCE_irecv(data + 64 * ue, 64, ue, &request[ue - 1]);
            iRCCE_add_recv_to_wait_list(&list, &request[ue - 1]);
        }
        while (round == 0 && !test)
            iRCCE_test_all(&list, &test);
        for (int n = 0; round == 1 && n < 3;) {
            iRCCE_test_any(&list, &sent, &done);
            n += done != NULL;
            single += done && is_right(done->privbuf, 64, done->source);
        }
        for (int ue = 1; round == 0 && ue < 4; ue++)
            test += is_right(data + 64 * ue, 64, ue);
    }
    all = test - 1;
    if (me == 0)
        printf("lists: %d of 3 at once, %d one by one, then %d\n", all, single,
               iRCCE_test_any(&list, &sent, &done));
}

static void counter(void)
{
    iRCCE_AIR *air;
    int value[3];

    iRCCE_atomic_alloc(&air);
    if (me == 2) {
        iRCCE_atomic_write(air, 41);
        iRCCE_atomic_inc(air, &value[0]);
        iRCCE_atomic_inc(air, &value[1]);
        iRCCE_atomic_read(air, &value[2]);
        RCCE_send((char *)value, sizeof value, 0);
    } else if (me == 0) {
        RCCE_recv((char *)value, sizeof value, 2);
        printf("counter: %d %d %d\n", value[0], value[1], value[2]);
    }
}

static void broadcasts(void)
{
    static const int sizes[] = {1, 33, 9000};
    int right = 0;

    for (int root = 0; root < 4; root++)
        for (int s = 0; s < 3; s++) {
            fill(data, 9000, me == root ? root : 99);
            iRCCE_bcast(data, (size_t)sizes[s], root, RCCE_COMM_WORLD);
            right += sum(is_right(data, sizes[s], root)) == 4;
        }
    if (me == 0)
        printf("broadcasts: %d of 12 right\n", right);
}

static void flags(void)
{
    RCCE_FLAG plain, tagged;
    RCCE_FLAG_STATUS before = 7, after = 7, status = 7;
    int there, late;
    char tag[8] = "?", read[8] = "?";

    iRCCE_flag_alloc(&plain);
    iRCCE_flag_alloc_tagged(&tagged);
    iRCCE_flag_write(&plain, RCCE_FLAG_UNSET, me);
    iRCCE_flag_write_tagged(&tagged, RCCE_FLAG_UNSET, me, NULL, 0);
    RCCE_barrier(&RCCE_COMM_WORLD);
    if (me == 0) {
        iRCCE_flag_read(plain, &before, 0);
        iRCCE_test_tagged(tagged, RCCE_FLAG_SET, &there, tag, 5);
    }
    RCCE_barrier(&RCCE_COMM_WORLD);
    if (me == 3) {
        iRCCE_flag_write_tagged(&tagged, RCCE_FLAG_SET, 0, "there", 5);
        iRCCE_flag_write(&plain, RCCE_FLAG_SET, 0);
    } else if (me == 0) {
        iRCCE_wait_until(plain, RCCE_FLAG_SET);
        iRCCE_flag_read(plain, &after, 0);
        iRCCE_test_tagged(tagged, RCCE_FLAG_SET, &late, tag, 5);
        iRCCE_flag_read_tagged(tagged, &status, 0, read, 5);
        int right = !there && late && status == RCCE_FLAG_SET;
        printf("flags: %d then %d, tag %d then %.5s, %s\n", before, after,
               there + 9, tag, right && !strcmp(read, tag) ? "right" : "wrong");
    }
    RCCE_barrier(&RCCE_COMM_WORLD);
}

/* From and to odd addresses of the own message buffer. */
static void copies(void)
{
    t_vcharp mpb = iRCCE_malloc(256);
    int wrong = mpb == NULL;

    fill(data, 200, 1);
    for (int at = 0; at < 5 && !wrong; at++) {
        memset(other, 0, 200);
        RC_cache_invalidate();
        iRCCE_memcpy_put((void *)(mpb + at), data, 133);
        RCCE_fence();
        RC_cache_invalidate();
        iRCCE_memcpy_get(other + 3, (void *)(mpb + at), 133);
        wrong += !is_right(other + 3, 133, 1) || other[136] != 0;
    }
    wrong = sum(wrong);
    if (me == 0)
        printf("copies: %s\n", wrong ? "wrong" : "right");
    RCCE_free(mpb);
}

/* One word is not a line: it stays in its core until something else is stored
 * to a message buffer, which a core that waits for an answer does not. */
static void fence(void)
{
    t_vcharp mpb = RCCE_malloc(RCCE_LINE_SIZE);
    size_t at = (size_t)(mpb - RCCE_comm_buffer[me]);
    char seen = 0;

    *(volatile int *)mpb = 0;
    RCCE_fence();
    RCCE_barrier(&RCCE_COMM_WORLD);
    if (me == 2) {
        *(volatile int *)(RCCE_comm_buffer[0] + at) = 77;
        RCCE_fence();
        RCCE_recv(&seen, 1, 0);
    } else if (me == 0) {
        do
            RC_cache_invalidate();
        while (*(volatile int *)mpb != 77);
        RCCE_send(&seen, 1, 2);
        puts("fence: right");
    }
}

int RCCE_APP(int argc, char **argv)
{
    RCCE_init(&argc, &argv);
    iRCCE_init();
    me = RCCE_ue();
    names_of_before();
    pushed();
    RCCE_barrier(&RCCE_COMM_WORLD);
    lists();
    counter();
    broadcasts();
    flags();
    copies();
    fence();
    return RCCE_finalize();
}
