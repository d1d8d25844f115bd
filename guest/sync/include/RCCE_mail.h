/*
 * RCCE_mail.h: mailboxes, the kernel's /dev/rckmail and /dev/rckbox.
 *
 * A mail is up to 28 bytes from one UE to another, through a line of the
 * receiver's MPB that belongs to this pair. It interrupts the receiver, or
 * waits until that one looks (RCCE_MAIL_POLLED). Build all of a program with
 * -DRCCE_MAILBOX: RCCE_init then leaves the last 1.5 KB of the MPB to the
 * boxes. Link with -lrcce_sync -lircce -lrcce.
 */
#ifndef RCCE_MAIL_H
#define RCCE_MAIL_H

#ifndef RCCE_MAILBOX
#error "RCCE_mail.h: build with -DRCCE_MAILBOX, so that RCCE leaves room"
#endif

#include "RCCE.h"

#ifdef __cplusplus
extern "C" {
#endif

#define RCCE_MAIL_MAX 28

enum RCCE_mail_kind { RCCE_MAIL_INTERRUPT, RCCE_MAIL_POLLED };

/* After RCCE_init. MALLOC: the kernel has no mailboxes. */
int RCCE_mail_open(enum RCCE_mail_kind kind);
/* Blocks while the last mail to this UE is still in its box. Errors: ID,
 * MESSAGE_LENGTH, SOURCE, COMM_UNDEFINED (not opened). One system call, one
 * read and one line; by interrupt one access to the FPGA more. */
int RCCE_mail_send(int ue, const void *mail, int bytes);
/* Blocks until there is a mail; `*ue` gets the sender. Mails of one sender
 * come in order. */
int RCCE_mail_recv(int *ue, void *mail, int bytes);
/* Receives without waiting: `*there` says whether there was a mail. */
int RCCE_mail_test(int *ue, void *mail, int bytes, int *there);

#ifdef __cplusplus
}
#endif

#endif
