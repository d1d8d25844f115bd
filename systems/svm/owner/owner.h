/*
 * owner.h: pages with one owner each, the strong model, for a layer that has
 * the pages: svm for processes (systems/svm), the threads' layer (systems/crf).
 *
 * owner.c     the owner of a page, requests and hand-over
 * progress.c  a page stays for the access that it came for; signals
 */
#ifndef OWNER_H
#define OWNER_H

#include <stdint.h>
#include <ucontext.h>

#include "svm_counts.h"

#define OWNER_CORES 48

struct owner_pages {
    /* Off-die and uncached, by the page's number: the rank of its owner; and
     * the ranks that wait for it, a bit for each. Only the owner reads and
     * writes those bits. */
    volatile uint32_t *owner;
    volatile uint32_t (*waiting)[2];
    const int *core_of; /* core numbers, by rank */
    uint32_t rank;
    int mail; /* descriptor of /dev/rckmail */
    /* Makes the page inaccessible to this core. When the function returns, all
     * of the core's writes to the page must be off-die. */
    void (*close)(uint32_t page);
    /* Makes the page accessible to this core, which owns it now. */
    void (*open)(uint32_t page);
    /* Called while this core waits for a page, at the beginning and again each
     * time the wait continues: `times` counts the calls since the page's owner
     * last changed. A new call is made when `*alarms` has changed, because the
     * engine could not skip a loop that reads the time. */
    void (*wait)(uint32_t page, uint32_t owner, uint32_t times);
    const volatile uint32_t *alarms;
    /* Called for a mail that asks for a page that does not exist; ends the
     * program. */
    void (*no_page)(uint32_t page);
    uint32_t pages;
};

extern struct owner_pages owner_pages; /* set by the library */
extern struct svm_counts owner_counted;

/* owner.c */
int owner_note(uint32_t page, uint32_t requester);
int owner_contested(uint32_t page);
void owner_hand_over(uint32_t page);
int owner_waiting_for(uint32_t page);
void owner_acquire(uint32_t page);

/* A mail in the format of /dev/rckmail. Mails of other libraries do not have
 * this mark. */
#define OWNER_REQUEST 0x45474150u
struct owner_mail {
    uint32_t core;
    uint32_t page, requester, mark;
    uint32_t unused[4];
};

/* progress.c */
void owner_signals_start(void); /* SIGIO and SIGTRAP */
void owner_signals_end(void);
/* Handles a page fault on a page that another core may own. */
void owner_fault(uint32_t page, greg_t *registers);
/* Sleeps until a mail comes and serves it, or for `milliseconds` (-1: without
 * limit). False if another signal came. */
int owner_await_mail(int milliseconds);
/* The number of signals that came for mails. They must not end another wait
 * early. */
uint32_t owner_signals_taken(void);

#endif
