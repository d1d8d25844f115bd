/*
 * svm_say.c: what is wrong with an access, in words.
 */
#include "svm_private.h"

#include <stdio.h>
#include <stdlib.h>

/* The segment whose begin or end is nearest to the address. */
static const struct svm_segment *nearest(const char *address, long *beyond)
{
    const struct svm_segment *found = NULL;

    for (int n = 0; n < svm_segment_count; n++) {
        const struct svm_segment *segment = &svm_segments[n];
        const char *end = segment->start + segment->pages * SVM_PAGE;
        long distance = address < segment->start
                            ? (long)(address - segment->start)
                            : (long)(address - end) + 1;

        if (!found || labs(distance) < labs(*beyond)) {
            found = segment;
            *beyond = distance;
        }
    }
    return found;
}

void svm_say_fault(const char *address, uint32_t eip, int write)
{
    const struct svm_segment *segment = svm_find(address);
    long beyond = 0;

    fprintf(stderr,
            "svm: UE %d (core %d): %s %p by the instruction at 0x%08x: ",
            svm_rank, svm_core_of[svm_rank], write ? "write to" : "read of",
            (const void *)address, (unsigned)eip);
    if (segment) {
        fprintf(stderr,
                "page %u of the segment at %p is read-only\n"
                "hint: svm_read_only was called for it\n",
                (unsigned)((address - segment->start) / SVM_PAGE),
                (void *)segment->start);
        return;
    }
    segment = nearest(address, &beyond);
    if (!segment)
        fprintf(stderr, "there is no shared segment\n");
    else
        fprintf(stderr,
                "%ld bytes %s the nearest shared segment, %u pages at "
                "%p\n",
                labs(beyond), beyond < 0 ? "before" : "beyond",
                (unsigned)segment->pages, (void *)segment->start);
}
