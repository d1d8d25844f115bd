/* svm_counts.h: counts of events on pages with one owner. */
#ifndef SVM_COUNTS_H
#define SVM_COUNTS_H

#include <stdint.h>

struct svm_counts {
    uint32_t faults;           /* strong pages that this core requested */
    uint32_t given, forwarded; /* requests of others: granted, passed on */
    uint32_t deferred;         /* requests that waited for its own access */
    uint64_t fault_cycles;     /* from handler's start to page's arrival */
    uint64_t mail_cycles;      /* part of it: sending the request */
};

#endif
