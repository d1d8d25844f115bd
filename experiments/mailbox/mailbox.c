/*
 * mailbox.c: a mail back and forth between the first two UEs, by interrupt
 * or polled; other UEs, if there are any, have their boxes and wait.
 *
 *     mailbox polled|interrupt ROUNDS
 *
 * Output: cycles of all round trips, of the fastest and the slowest one.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "RCCE.h"
#include "RCCE_mail.h"

#define BYTES 28
#define LONGEST_PAUSE 4096

/* A poller is found anywhere in its round. */
static void pause_a_while(void)
{
    static uint32_t state = 1;

    state = state * 1103515245u + 12345u;
    for (uint32_t n = (state >> 16) % LONGEST_PAUSE; n > 0; n--)
        __asm__ volatile("");
}

int RCCE_APP(int argc, char **argv)
{
    char mail[BYTES] = "mail";
    uint64_t all = 0, least = UINT64_MAX, most = 0;
    int from;

    RCCE_init(&argc, &argv);
    int me = RCCE_ue(), rounds = argc > 2 ? atoi(argv[2]) : 0;
    if (rounds == 0)
        return 2;
    RCCE_mail_open(strcmp(argv[1], "polled") == 0 ? RCCE_MAIL_POLLED
                                                  : RCCE_MAIL_INTERRUPT);
    RCCE_barrier(&RCCE_COMM_WORLD);
    for (int i = -2; i < rounds && me < 2; i++) {
        if (me == 0)
            pause_a_while();
        uint64_t start = __builtin_ia32_rdtsc();
        if (me == 0)
            RCCE_mail_send(1, mail, BYTES);
        RCCE_mail_recv(&from, mail, BYTES);
        if (me == 1)
            RCCE_mail_send(0, mail, BYTES);
        uint64_t cycles = __builtin_ia32_rdtsc() - start;
        if (i < 0)
            continue; /* fills the caches */
        all += cycles;
        least = cycles < least ? cycles : least;
        most = cycles > most ? cycles : most;
    }
    if (me == 0)
        printf("%llu %llu %llu\n", (unsigned long long)all,
               (unsigned long long)least, (unsigned long long)most);
    RCCE_barrier(&RCCE_COMM_WORLD);
    return RCCE_finalize();
}
