// Mails by interrupt and polled: eleven senders at once, all mails once and
// in order; a core that sleeps is woken; RCCE works beside them.
// run: --cores 12-23 --tag none
// cc: -DRCCE_MAILBOX -lrcce_sync -lircce -lrcce
// expect-stdout:
// nothing yet 0, before open 1234343
// by interrupt: 220 mails, sum 12540, 0 out of order
// message beside them: 42
// ping-pong by interrupt and polled
// misuse: 1234324 1234325 1234323
// expect-stderr: interrupt \d+\.\d\d us, polled \d+\.\d\d us one way
#include "RCCE.h"
#include "RCCE_mail.h"

#define MAILS 20

static void collect(int ues)
{
    int next[RCCE_MAXNP] = {0}, sum = 0, late = 0, from, mail[7];
    for (int n = 0; n < MAILS * (ues - 1); n++) {
        RCCE_mail_recv(&from, mail, sizeof mail);
        late += mail[0] != next[from]++ || mail[6] != from;
        sum += mail[0] * mail[6];
    }
    for (int ue = 1; ue < ues; ue++)
        late += next[ue] != MAILS;
    printf("by interrupt: %d mails, sum %d, %d out of order\n",
           MAILS * (ues - 1), sum, late);
}

static double pingpong(int me)
{
    int from, mail = 0;
    double start = RCCE_wtime();
    for (int n = 0; n < 10; n++) {
        if (me == 0)
            RCCE_mail_send(1, &mail, sizeof mail);
        RCCE_mail_recv(&from, &mail, sizeof mail);
        if (me == 1)
            RCCE_mail_send(0, &mail, sizeof mail);
    }
    return RCCE_wtime() - start;
}

static void latencies(int me)
{
    double slow = 0, fast = 0;
    if (me < 2)
        slow = pingpong(me);
    RCCE_mail_open(RCCE_MAIL_POLLED);
    RCCE_barrier(&RCCE_COMM_WORLD);
    if (me < 2)
        fast = pingpong(me);
    if (me > 0)
        return;
    puts("ping-pong by interrupt and polled");
    fprintf(stderr, "interrupt %.2f us, polled %.2f us one way\n",
            slow / 20 * 1e6, fast / 20 * 1e6);
}

int RCCE_APP(int argc, char **argv)
{
    int there, from, mail[7] = {0}, value = 42;
    RCCE_init(&argc, &argv);
    int me = RCCE_ue(), ues = RCCE_num_ues();
    int early = RCCE_mail_send(1, mail, 4);
    RCCE_mail_open(RCCE_MAIL_INTERRUPT);
    RCCE_mail_test(&from, mail, 4, &there);
    if (me == 0)
        printf("nothing yet %d, before open %d\n", there, early);
    RCCE_barrier(&RCCE_COMM_WORLD);
    if (me == 0)
        collect(ues);
    for (int n = 0; n < MAILS && me > 0; n++) {
        mail[0] = n;
        mail[6] = me;
        RCCE_mail_send(0, mail, sizeof mail);
    }
    RCCE_barrier(&RCCE_COMM_WORLD);
    if (me == 2)
        RCCE_send((char *)&value, sizeof value, 0);
    if (me == 0) {
        RCCE_recv((char *)&value, sizeof value, 2);
        printf("message beside them: %d\n", value);
    }
    latencies(me);
    if (me == 0)
        printf("misuse: %d %d %d\n", RCCE_mail_send(0, mail, 4),
               RCCE_mail_send(1, mail, 29), RCCE_mail_send(1, NULL, 4));
    return RCCE_finalize();
}
