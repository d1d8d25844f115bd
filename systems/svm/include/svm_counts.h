/* svm_counts.h: counts of events on pages with one owner. */
#ifndef SVM_COUNTS_H
#define SVM_COUNTS_H

#include <stdint.h>

/* Counts of one core since its program began. Cycles are the core's clocks, as
 * RDTSC counts them. */
struct svm_counts {
    uint32_t faults;           /* pages that this core got from other owners */
    uint32_t given, forwarded; /* requests of others: granted, passed on */
    uint32_t deferred;         /* hand-overs that waited for its own access */
    uint64_t fault_cycles;     /* of `faults`: from request to ownership */
    uint64_t mail_cycles;      /* part of it: sending the request */
};

#endif
