/*
 * watch.h: a core that has died is told to those that wait.
 */
#ifndef WATCH_H
#define WATCH_H

#include <stdint.h>

/* A quarter of a second: of a timer, and in cycles at 533 MHz. */
#define WATCH_PATIENCE_US 250000
#define WATCH_PATIENCE 133000000ull

struct watch {
    int rank, ranks;
    volatile uint32_t *dead; /* off-die: its rank + 1; 0: none is known */
    /* Off-die, by rank: mails that it has not read; null: all are read. */
    volatile uint32_t *unread;
    int (*mail)(int rank);  /* false: its box is full */
    void (*found)(void);    /* others are to look */
    void (*tell)(int rank); /* ends the program */
};

/* Asks the others whether they are there. */
void watch_others(const struct watch *watch);

#endif
