/* svm_counts.h: counts of events of pages with one owner. */
#ifndef SVM_COUNTS_H
#define SVM_COUNTS_H

#include <stdint.h>

struct svm_counts {
    uint32_t faults;           /* of strong pages that this core asked for */
    uint32_t given, forwarded; /* requests of others: answered, passed on */
    uint32_t deferred;     /* requests that waited for this core's own access */
    uint64_t fault_cycles; /* from the handler's start to the page */
    uint64_t mail_cycles;  /* of these: sending the request */
};

#endif
