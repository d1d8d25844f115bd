// Wrong arguments of the basic interface come back as the published codes,
// and RCCE_error_string knows them.
// run: -n 2 --tag none
// also-slow: --kernel l4
// cc: -lrcce
// expect-stdout:
// before init: 1234343
// no such UE: 1234324 1234324 1234324 1234324
// no buffer: 1234323 1234322 1234334
// no bytes: 1234325 1234325
// reduce: 1234344 1234345 1234325 1234324
// communicators: 1234343 1234347 1234343
// locks: 1234324 1234324
// debug: 1234330 0
// texts: 27 known, one unknown: 1234335
#include "RCCE.h"

#include <string.h>

static int all_one(int ue, void *aux)
{
    (void)ue;
    (void)aux;
    return 1;
}

static void two_sided(char *b)
{
    int done;
    printf("no such UE: %d %d %d %d\n", RCCE_send(b, 4, 2), RCCE_recv(b, 4, -1),
           RCCE_send(b, 4, RCCE_ue()), RCCE_bcast(b, 4, 7, RCCE_COMM_WORLD));
    printf("no buffer: %d %d %d\n", RCCE_send(NULL, 4, 1),
           RCCE_recv(NULL, 4, 1), RCCE_recv_test(b, 4, 1, NULL));
    printf("no bytes: %d %d\n", RCCE_send(b, 0, 1),
           RCCE_recv_test(b, 0, 1, &done));
    printf("reduce: %d %d %d %d\n",
           RCCE_reduce(b, b, 1, RCCE_INT, 5, 0, RCCE_COMM_WORLD),
           RCCE_reduce(b, b, 1, 5, RCCE_SUM, 0, RCCE_COMM_WORLD),
           RCCE_reduce(b, b, 0, RCCE_INT, RCCE_SUM, 0, RCCE_COMM_WORLD),
           RCCE_reduce(b, b, 1, RCCE_INT, RCCE_SUM, 2, RCCE_COMM_WORLD));
}

static void texts(void)
{
    char text[RCCE_MAX_ERROR_STRING];
    int length, known = 0;
    for (int code = RCCE_ERROR_BASE; code < RCCE_ERROR_BASE + 40; code++)
        known += RCCE_error_string(code, text, &length) == RCCE_SUCCESS &&
                 length == (int)strlen(text) && length < RCCE_MAX_ERROR_STRING;
    printf("texts: %d known, one unknown: %d\n", known,
           RCCE_error_string(3, text, &length));
}

int RCCE_APP(int argc, char **argv)
{
    char buffer[64];
    RCCE_COMM none = {0}, ours = {0};

    int early = RCCE_barrier(&RCCE_COMM_WORLD);
    if (RCCE_init(&argc, &argv))
        return 1;
    RCCE_comm_split(all_one, NULL, &ours);
    if (RCCE_ue() == 0) {
        printf("before init: %d\n", early);
        two_sided(buffer);
        printf("communicators: %d %d %d\n", RCCE_barrier(&none),
               RCCE_comm_split(all_one, NULL, &ours), RCCE_comm_free(&none));
        printf("locks: %d %d\n", RCCE_acquire_lock(2), RCCE_release_lock(-1));
        printf("debug: %d %d\n", RCCE_debug_set(1),
               RCCE_debug_set(RCCE_DEBUG_ALL));
        RCCE_debug_unset(RCCE_DEBUG_ALL);
        texts();
    }
    RCCE_barrier(&ours);
    return RCCE_finalize();
}
