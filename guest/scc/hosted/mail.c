/*
 * mail.c: the kernel's mailboxes.
 *
 * A mailbox is a line at the end of the receiver's message buffer, one for
 * each core of the SCC; the kernel drains by line 0.
 */
#include <fcntl.h>

#include "scc/claim.h"
#include "scc/map.h"
#include "scc/mpb.h"

#define MAIL "the kernel's mailboxes"
#define FIRST_LINE (SCC_MPB_LINES - SCC_CORES)

SCC_PLAN(boxes, SCC_MPB_LINE, SCC_ALONE, FIRST_LINE, SCC_CORES, MAIL);

static int open_box(const char *name, int flags)
{
    int fd = open(name, flags | O_CLOEXEC);

    if (fd >= 0) {
        scc_claim(SCC_MPB_LINE, SCC_TOGETHER, 0, 1, "scc");
        scc_claim(SCC_MPB_LINE, SCC_ALONE, FIRST_LINE, SCC_CORES, MAIL);
        scc_mail_is_open = 1;
    }
    return fd;
}

int scc_open_mail(int flags)
{
    return open_box("/dev/rckmail", flags);
}

int scc_open_quiet_mail(int flags)
{
    return open_box("/dev/rckbox", flags);
}
