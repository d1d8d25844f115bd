// Misuse of locks, barriers and mails: each mistake gets the interface's
// code and text, never a lock that somebody else holds.
// run: -n 2 --tag none
// cc: -DRCCE_MAILBOX -lrcce_sync -lircce -lrcce
// expect-stdout:
// no such UE: 1234324 1234324 1234324 1234324 No such UE, or not for the caller
// nowhere to write: 1234334 1234334 Place for the result is missing
// lock of another: 1234324, try: not taken; after its release: taken
// mails: to nobody 1234324, negative 1234325, too long 1234325, from nowhere 1234323
// then all works: 42
#include "RCCE.h"
#include "RCCE_mail.h"
#include "RCCE_sync.h"

static const char *text(int code)
{
    static char words[RCCE_MAX_ERROR_STRING];
    int length;

    RCCE_error_string(code, words, &length);
    return words;
}

static void lock_of_another(int me)
{
    int taken = 0, later = 0, code = 0;

    if (me == 0)
        RCCE_acquire_lock(0);
    RCCE_barrier(&RCCE_COMM_WORLD);
    if (me == 1) {
        code = RCCE_release_lock(0);
        RCCE_try_lock(0, &taken);
    }
    RCCE_barrier(&RCCE_COMM_WORLD);
    if (me == 0)
        RCCE_release_lock(0);
    RCCE_barrier(&RCCE_COMM_WORLD);
    if (me == 1) {
        RCCE_try_lock(0, &later);
        printf("lock of another: %d, try: %s; after its release: %s\n", code,
               taken ? "taken" : "not taken", later ? "taken" : "not taken");
        RCCE_release_lock(0);
    }
}

int RCCE_APP(int argc, char **argv)
{
    char mail[RCCE_MAIL_MAX + 1] = "";
    int taken, from = -1, value = 42;

    RCCE_init(&argc, &argv);
    int me = RCCE_ue();
    if (me == 1) {
        int code = RCCE_try_lock(2, &taken);
        printf("no such UE: %d %d %d %d %s\n", code, RCCE_backoff_lock(-1),
               RCCE_acquire_lock(48), RCCE_release_lock(-1), text(code));
        code = RCCE_try_lock(1, NULL);
        printf("nowhere to write: %d %d %s\n", code, RCCE_air_acquire(NULL),
               text(code));
    }
    RCCE_barrier(&RCCE_COMM_WORLD);
    lock_of_another(me);
    RCCE_mail_open(RCCE_MAIL_INTERRUPT);
    RCCE_barrier(&RCCE_COMM_WORLD);
    if (me == 1)
        printf(
            "mails: to nobody %d, negative %d, too long %d, from nowhere %d\n",
            RCCE_mail_send(2, mail, 4), RCCE_mail_send(0, mail, -1),
            RCCE_mail_send(0, mail, sizeof mail), RCCE_mail_send(0, NULL, 4));
    if (me == 1)
        RCCE_mail_send(0, &value, sizeof value);
    if (me == 0) {
        RCCE_mail_recv(&from, mail, sizeof value);
        printf("then all works: %d\n", *(int *)mail);
    }
    return RCCE_finalize();
}
