/*
 * owner.h: pages with one owner each: the strong model, for whoever has the
 * pages: svm for processes (systems/svm), the threads' layer (systems/crf).
 *
 * owner.c     who owns a page, how it is asked for and handed over
 * progress.c  a page stays for the access that it came for; signals
 */
#ifndef OWNER_H
#define OWNER_H

#include <stdint.h>
#include <ucontext.h>

#include "svm_counts.h"

#define OWNER_CORES 48

struct owner_pages {
    /* Off-die and uncached, by the page's number: its owner's rank; who waits
     * for it, a bit a rank, which only the owner looks at and writes. */
    volatile uint32_t *owner;
    volatile uint32_t (*waiting)[2];
    const int *core_of; /* by rank */
    uint32_t rank;
    int mail; /* /dev/rckmail */
    /* This core may not touch the page any more, and what it wrote is off-die. */
    void (*close)(uint32_t page);
    /* This core may touch the page from now on. */
    void (*open)(uint32_t page);
    /* A wait for a page begins, and has gone on: how often that was told while
     * the page had the same owner. It is told when `*alarms` has changed: a
     * loop that asks for the time could not be passed over. */
    void (*wait)(uint32_t page, uint32_t owner, uint32_t times);
    const volatile uint32_t *alarms;
    /* A mail asks for a page that there is not: it ends the program. */
    void (*no_page)(uint32_t page);
    uint32_t pages;
};

extern struct owner_pages owner_pages; /* the library's */
extern struct svm_counts owner_counted;

/* owner.c */
int owner_note(uint32_t page, uint32_t requester);
int owner_contested(uint32_t page);
void owner_hand_over(uint32_t page);
int owner_waiting_for(uint32_t page);
void owner_acquire(uint32_t page);

/* A mail, as /dev/rckmail has it; those of others have no such mark. */
#define OWNER_REQUEST 0x45474150u
struct owner_mail {
    uint32_t core;
    uint32_t page, requester, mark;
    uint32_t unused[4];
};

/* progress.c */
void owner_signals_start(void); /* SIGIO and SIGTRAP */
void owner_signals_end(void);
/* A page fault on a page that another core may own. */
void owner_fault(uint32_t page, greg_t *registers);
/* Sleeps until a mail comes, and serves it, or for milliseconds (-1: without
 * limit); false if another signal came. */
int owner_await_mail(int milliseconds);
/* Signals that have come for mails: no reason to end another wait early. */
uint32_t owner_signals_taken(void);

#endif
