/*
 * mailbox.c: mails to a core: a ring in shared memory under an atomic
 * counter, and a bell in the core's own MPB, where it costs nobody else
 * anything to look for it.
 */
#include "lpel_private.h"

#define KIND_BITS 8

/* Taken from the box, not yet handled. */
static struct lpel_mail fetched[LPEL_MAILS];
static uint32_t fetched_next, fetched_count;

void lpel_send(int rank, enum lpel_mail_kind kind, uint32_t value)
{
    struct lpel_mailbox *box = &lpel_shared->mailbox[rank];

    for (;;) {
        lpel_count_in(LPEL_MAILBOX, rank);
        if (box->count < LPEL_MAILS)
            break;
        /* The receiver empties it before it does anything else. */
        lpel_count_out(LPEL_MAILBOX, rank);
        lpel_check_failed();
    }
    uint32_t at = (box->first + box->count) % LPEL_MAILS;

    box->mail[at].kind_and_rank = (uint32_t)kind | (uint32_t)lpel_my_rank
                                                       << KIND_BITS;
    box->mail[at].value = value;
    box->count++;
    lpel_count_out(LPEL_MAILBOX, rank);
    RCCE_flag_write(&lpel_bell, RCCE_FLAG_SET, rank);
}

/* All that is there, under one lock: those who send wait for it too. */
static void fetch(struct lpel_mailbox *box)
{
    fetched_next = 0;
    lpel_count_in(LPEL_MAILBOX, lpel_my_rank);
    uint32_t first = box->first;

    fetched_count = box->count;
    for (uint32_t n = 0; n < fetched_count; n++) {
        volatile struct lpel_mail *mail = &box->mail[(first + n) % LPEL_MAILS];

        fetched[n].kind_and_rank = mail->kind_and_rank;
        fetched[n].value = mail->value;
    }
    box->first = (first + fetched_count) % LPEL_MAILS;
    box->count = 0;
    lpel_count_out(LPEL_MAILBOX, lpel_my_rank);
}

/* 0: there is none. */
int lpel_receive(enum lpel_mail_kind *kind, int *rank, uint32_t *value)
{
    struct lpel_mailbox *box = &lpel_shared->mailbox[lpel_my_rank];

    if (fetched_next == fetched_count && box->count)
        fetch(box);
    if (fetched_next == fetched_count)
        return 0;
    uint32_t word = fetched[fetched_next].kind_and_rank;

    *value = fetched[fetched_next++].value;
    *kind = (enum lpel_mail_kind)(word & ((1u << KIND_BITS) - 1));
    *rank = (int)(word >> KIND_BITS);
    return 1;
}

/* Until the bell rings. A mail that came before is not slept over: the bell
 * is put back before the box is looked at. */
void lpel_wait(void)
{
    RCCE_wait_until(lpel_bell, RCCE_FLAG_SET);
    RCCE_flag_write(&lpel_bell, RCCE_FLAG_UNSET, lpel_my_rank);
    lpel_check_failed();
}
