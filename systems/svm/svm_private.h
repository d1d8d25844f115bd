/*
 * svm_private.h: the declarations that the files of the library share.
 *
 * svm_init.c   devices, the control block, start and end
 * svm_alloc.c  segments: pages, their place, their first owners
 * svm_strong.c the strong model's pages; their owners: owner/
 * svm_fault.c  page faults as signals
 * svm_lazy.c   flush, invalidate, locks, barrier
 * svm_watch.c  a core that has died
 * svm_say.c    errors in words
 */
#ifndef SVM_PRIVATE_H
#define SVM_PRIVATE_H

#include <stdint.h>

#include "RCCE.h"
#include "scc/claim.h"
#include "scc/job.h"
#include "scc/map.h"
#include "scc/say.h"
#include "svm.h"

#define NAME "svm"
#define svm_fail(...) scc_fail(NAME, __VA_ARGS__)

#define SVM_SLOT 0x1000000u /* shared memory behind each controller */
#define SVM_SLOTS 4
#define SVM_PAGES (SVM_SLOT / SVM_PAGE * SVM_SLOTS)
#define SVM_SEGMENTS 64

/* The pages of one svm_alloc, in address order. */
struct svm_segment {
    char *start;
    uint32_t pages;
    uint32_t first; /* number of its first page: index into `owner` */
    enum svm_model model;
    /* Read-only pages, counted from `start`; `to` is not one; both 0: none. */
    uint32_t read_only_from, read_only_to;
};

/* The control block, which all cores can access: off-die, uncached, before all
 * pages. */
struct svm_control {
    volatile uint32_t owner[SVM_PAGES]; /* rank of each page's owner */
    /* For each page, the ranks that wait for it, a bit for each. Only the
     * page's owner reads and writes it. */
    volatile uint32_t waiting[SVM_PAGES][2];
    volatile uint32_t lock[SVM_LOCKS]; /* 0: free; else the holder's rank + 1 */
    volatile uint32_t call[8];         /* words 0 to 2: rank 0's arguments of a
                                        * collective call (svm_agree) */
    volatile uint32_t dead;            /* rank + 1 of a core that died */
};
#define SVM_CONTROL_SIZE \
    ((sizeof(struct svm_control) + SVM_PAGE - 1) & ~(SVM_PAGE - 1u))

extern struct svm_control *svm_control; /* null before svm_init */
extern uint32_t svm_control_at; /* its byte offset in the shared memory */
extern struct svm_segment svm_segments[SVM_SEGMENTS];
extern int svm_segment_count;
extern int svm_rank, svm_ranks;
extern const int *svm_core_of; /* core numbers, by rank */
extern int svm_mail;           /* device for mails with an interrupt */

/* svm_init.c */
/* Maps physical memory at `at` (NULL: anywhere) and returns the address; ends
 * the program if the kernel refuses. `protection`: PROT_ bits of mmap. */
void *svm_map(enum scc_memory memory, void *at, uint32_t physical, size_t bytes,
              int protection);

/* svm_alloc.c */
/* Collective: ends the program with an error about `call` if the three
 * arguments of a UE differ from those of UE 0, or before svm_init. */
void svm_agree(const char *call, uint32_t a, uint32_t b, uint32_t c);
/* The segment that contains the address; NULL if none does. */
struct svm_segment *svm_find(const void *address);

/* svm_strong.c: gives owner/ the functions for svm's pages; svm_init calls it
 * before the first svm_alloc. */
void svm_strong_start(void);

/* svm_fault.c: takes SIGSEGV, SIGTRAP and SIGIO; gives them up again. */
void svm_signals_start(void);
void svm_signals_end(void);

/* svm_watch.c */
/* Alarms so far: four in a simulated second while this core waits. */
extern volatile uint32_t svm_alarms;
void svm_watch_start(void); /* takes SIGALRM if the program has not */
void svm_watch_end(void);
void svm_wait_begins(void); /* a wait for another core begins: starts a timer */
void svm_wait_ends(void);

/* svm_say.c: prints what is wrong with an access of the instruction at `eip`:
 * a read-only page, or an address in no segment. */
void svm_say_fault(const char *address, uint32_t eip, int write);

#endif
