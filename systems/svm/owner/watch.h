/* watch.h: reports a core that has died to the cores that wait for it. */
#ifndef WATCH_H
#define WATCH_H

#include <stdint.h>

/* A quarter of a second: in microseconds, and in cycles at 533 MHz. */
#define WATCH_PATIENCE_US 250000
#define WATCH_PATIENCE 133000000ull

struct watch {
    int rank, ranks;
    volatile uint32_t *dead; /* off-die: rank + 1; 0: none known */
    /* In memory off the die; the index is a rank: how many of the mails sent to
     * that rank it has not read yet. Null: the program needs no such count,
     * because every rank always reads its mails. */
    volatile uint32_t *unread;
    int (*mail)(int rank);  /* sends it a mail; false: its mailbox is full */
    void (*found)(void);    /* has other cores check too */
    void (*tell)(int rank); /* ends the program */
};

/* Asks other cores whether they still run, and reports one that does not
 * respond. */
void watch_others(const struct watch *watch);

#endif
