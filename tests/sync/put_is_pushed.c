// A put has left its core when it returns, although an interrupt between two of
// its stores pushes half a line: mails come all the time, and the last line is
// looked at past the caches after each put.
// cc: -O2 -DGORY -DRCCE_MAILBOX -lrcce_sync -lircce -lrcce
// run: -n 2 --tag none
// expect-match: ^6000 puts, 0 late, mails came$
#include <stdio.h>

#include "RCCE.h"
#include "RCCE_lib.h"
#include "RCCE_mail.h"
#include "scc/job.h"
#include "scc/map.h"

#define PUTS 6000
#define WORDS (RCCE_LINE_SIZE / 4)

int main(int argc, char **argv)
{
    int line[WORDS] __attribute__((aligned(RCCE_LINE_SIZE)));
    int late = 0, mails = 0, there, from, stop = 0;

    RCCE_init(&argc, &argv);
    RCCE_mail_open(RCCE_MAIL_INTERRUPT);
    t_vcharp target = RCCE_malloc(RCCE_LINE_SIZE);
    t_vcharp done = RCCE_malloc(RCCE_LINE_SIZE);
    int core = scc_job()->core;
    volatile int *plain = scc_map(SCC_UNCACHED, scc_mpb_of(core), 8192);
    int at = (int)(target - RC_COMM_BUFFER_START(RCCE_ue())) / 4;
    int end = (int)(done - RC_COMM_BUFFER_START(RCCE_ue())) / 4;

    plain[end] = 0;
    RCCE_barrier(&RCCE_COMM_WORLD);
    if (RCCE_ue() == 1) {
        while (!plain[end])
            RCCE_mail_send(0, &core, sizeof core);
        RCCE_barrier(&RCCE_COMM_WORLD);
        return 0;
    }
    for (int n = 1; n <= PUTS; n++) {
        for (int word = 0; word < WORDS; word++)
            line[word] = n;
        RCCE_put(target, (t_vcharp)line, sizeof line, 0);
        late += plain[at + WORDS - 1] != n;
        if (n % 4 == 0) {
            RCCE_mail_test(&from, &stop, sizeof stop, &there);
            mails += there;
        }
    }
    printf("%d puts, %d late, mails %s\n", PUTS, late,
           mails ? "came" : "never came");
    line[0] = 1;
    RCCE_put(done, (t_vcharp)line, sizeof line, 1);
    while (RCCE_mail_test(&from, &stop, sizeof stop, &there) == 0 && there)
        ;
    RCCE_barrier(&RCCE_COMM_WORLD);
    return 0;
}
