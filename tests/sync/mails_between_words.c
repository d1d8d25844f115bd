// A mail's interrupt may come while a core writes a flag of RCCE's: the kernel then empties the
// write-combine buffer, and the flag's line leaves in two parts. Its value must be in the last one.
// cc: -O2 -DRCCE_MAILBOX -lrcce_sync -lircce -lrcce
// run: -n 5 --tag none
// expect-stdout:
// 1200 messages, 0 of a wrong length, 0 with wrong bytes
#include <stdio.h>
#include <string.h>

#include "RCCE.h"
#include "RCCE_mail.h"

#define MESSAGES 1200
#define MAILS 400 /* of each of the others, while messages are under way */
#define LONGEST 128

static char buffer[LONGEST];

/* Another length each time: an old one is a wrong one. */
static size_t length_of(int number)
{
    return 32u + 32u * ((unsigned)number % 4);
}

static void send_all(void)
{
    char mail[RCCE_MAIL_MAX];
    int from, there, left = MAILS * (RCCE_num_ues() - 2);

    for (int n = 0; n < MESSAGES; n++) {
        memset(buffer, n, sizeof buffer);
        RCCE_send(buffer, length_of(n), 1);
        RCCE_mail_test(&from, mail, sizeof mail, &there);
        left -= there;
    }
    while (left-- > 0)
        RCCE_mail_recv(&from, mail, sizeof mail);
}

static void receive_all(void)
{
    int lengths = 0, bytes = 0;

    for (int n = 0; n < MESSAGES; n++) {
        if (RCCE_recv(buffer, length_of(n), 0))
            lengths++;
        else
            bytes +=
                buffer[0] != (char)n || buffer[length_of(n) - 1] != (char)n;
    }
    printf("%d messages, %d of a wrong length, %d with wrong bytes\n", MESSAGES,
           lengths, bytes);
}

static void send_mails(int me)
{
    char mail[RCCE_MAIL_MAX] = {0};

    for (int n = 0; n < MAILS; n++) {
        RCCE_mail_send(0, mail, sizeof mail);
        for (volatile int wait = 0; wait < 600 + 37 * me + n % 97;)
            wait++;
    }
}

int main(int argc, char **argv)
{
    int me;

    RCCE_init(&argc, &argv);
    me = RCCE_ue();
    RCCE_mail_open(RCCE_MAIL_INTERRUPT);
    RCCE_barrier(&RCCE_COMM_WORLD);
    if (me == 0)
        send_all();
    else if (me == 1)
        receive_all();
    else
        send_mails(me);
    RCCE_finalize();
    return 0;
}
