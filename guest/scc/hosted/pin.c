/*
 * pin.c: the kernel's interrupt pin, and whether mailboxes are open. Both stand
 * apart from mail.c: its plan of lines must not be in programs without mail.
 */
#include <fcntl.h>

#include "scc/mpb.h"

int scc_mail_is_open;

int scc_open_pin(int flags)
{
    return open("/dev/rckirq", flags | O_CLOEXEC);
}

int scc_has_mail(void)
{
    return scc_mail_is_open;
}
