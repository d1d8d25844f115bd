/* watch.h: finds cores that have died and reports them to those that wait. */
#ifndef WATCH_H
#define WATCH_H

#include <stdint.h>

/* A quarter of a simulated second: in microseconds, and in core cycles at
 * 533 MHz. The least time between two questions to one core. */
#define WATCH_PATIENCE_US 250000
#define WATCH_PATIENCE 133000000ull

struct watch {
    int rank, ranks;         /* of this core; of the program */
    volatile uint32_t *dead; /* off-die: rank + 1; 0: none known */
    /* In memory off the die; the index is a rank: how many of the mails sent to
     * that rank it has not read yet. Each doubles the time between questions;
     * a rank with more than 20 is not asked. Null: every rank always reads its
     * mails. */
    volatile uint32_t *unread;
    int (*mail)(int rank);  /* sends a mail; false: the mailbox is full */
    void (*found)(void);    /* called for a core found dead, before `tell` */
    void (*tell)(int rank); /* reports this dead rank and ends the program */
};

/* Reports the rank in `*dead`, if it is set. Otherwise mails each other rank
 * whose turn it is twice; the first one that does not take the first mail out
 * of its box within 20 ms of simulated time is dead: stores it in `*dead`,
 * calls `found`, then `tell`. */
void svm_watch_others(const struct watch *watch);

#endif
