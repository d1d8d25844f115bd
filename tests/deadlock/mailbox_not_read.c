// UE 0 sends two mails, and UE 1 reads none: the second one finds the box full.
// cc: -O2 -g -DRCCE_MAILBOX -lrcce_sync -lircce -lrcce
// run: -n 2 --until 2ms
// expect-stderr: mailbox-not-read: UE 0 waits in RCCE_mail_send for room in the mailbox of UE 1: its last mail is still there, for UE 1 does not read it: UE 1 waits in RCCE_barrier
// expect-stderr: UE 0 \(core 00\) waits for UE 1: RCCE_mail_send of 5 bytes, at main \(mailbox_not_read.c:18\), since \d
// expect-stderr: UE 0 --> UE 1
// expect-stderr: hint: the receiver must read its mails: a box holds one of each sender

#include "RCCE_mail.h"

int main(int argc, char **argv)
{
    RCCE_init(&argc, &argv);
    RCCE_mail_open(RCCE_MAIL_POLLED);
    RCCE_barrier(&RCCE_COMM_WORLD);
    if (RCCE_ue() == 0)
        for (int n = 0; n < 2; n++)
            RCCE_mail_send(1, "mail", 5);
    RCCE_barrier(&RCCE_COMM_WORLD);
    return RCCE_finalize();
}
