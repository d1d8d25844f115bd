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

/* What owner.c needs of the library whose pages have owners. */
struct svm_owner_pages {
    /* Off-die and uncached, by the page's number: the rank of its owner; and
     * the ranks that wait for it, a bit for each (word rank / 32, bit
     * rank % 32). Only the owner reads and writes those bits. */
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
    /* Called while this core waits for a page: at the beginning with `times` 0,
     * then each time that `*alarms` has changed, with `times` one more than in
     * the last call, or 1 if `owner`, the page's owner, has changed since. (A
     * loop that read the time instead could not be skipped by the engine.) */
    void (*wait)(uint32_t page, uint32_t owner, uint32_t times);
    const volatile uint32_t *alarms;
    /* Called for a mail that asks for a page that does not exist; ends the
     * program. */
    void (*no_page)(uint32_t page);
    uint32_t pages; /* how many exist: numbers 0 to pages - 1 */
};

extern struct svm_owner_pages
    svm_owner_pages; /* the library sets it at its start */
extern struct svm_counts
    svm_owner_counted; /* of this core; owner.c adds to it */

/* owner.c. All run on the core that they speak of, with SIGIO held off. */
/* Records a rank's request for a page and returns 1 if this core owns the
 * page; otherwise mails the request on to the page's owner and returns 0. */
int svm_owner_note(uint32_t page, uint32_t requester);
/* True if this core owns the page and a request for it is recorded. */
int svm_owner_contested(uint32_t page);
/* If this core owns the page and a request is recorded: closes the page and
 * makes the next waiting rank after its own the owner. Otherwise nothing. */
void svm_owner_hand_over(uint32_t page);
/* True while svm_owner_acquire of this page runs on this core. */
int svm_owner_waiting_for(uint32_t page);
/* Makes this core the page's owner, waiting as long as that takes, and opens
 * the page. */
void svm_owner_acquire(uint32_t page);

/* A mail in the format of /dev/rckmail: `core`, the receiver; `requester`, the
 * rank that wants `page`. Mails of other libraries do not have this mark. */
#define OWNER_REQUEST 0x45474150u
struct owner_mail {
    uint32_t core;
    uint32_t page, requester, mark;
    uint32_t unused[4];
};

/* progress.c */
/* Takes SIGIO (a mail has come) and SIGTRAP, on the alternate stack if the
 * program has one, and makes the mail device send SIGIO. svm_owner_signals_end
 * sets SIGTRAP to its default and ignores SIGIO. */
void svm_owner_signals_start(void);
void svm_owner_signals_end(void);
/* Handles a fault of this core on a page that another core may own: returns
 * when this core owns the page. `registers`: those of the faulting instruction,
 * whose trap flag may be set so that the page is handed over right after it. */
void svm_owner_fault(uint32_t page, greg_t *registers);
/* Sleeps until a mail comes and serves it, or for `milliseconds` of simulated
 * time (-1: without limit). Returns false if another signal ended the sleep,
 * otherwise true. */
int svm_owner_await_mail(int milliseconds);
/* The number of mail signals (SIGIO) since the start. A wait that a signal
 * interrupts continues if only this number has changed. */
uint32_t svm_owner_signals_taken(void);

#endif
