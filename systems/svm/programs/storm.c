/*
 * storm.c: all cores at once for few pages and few locks: no addition is lost.
 *
 *   storm MODEL [PAGES LOCKS ROUNDS]
 *
 * Each UE adds one to a random word of a few under the lock of its page, ROUNDS
 * times; in the strong model also without a lock to a word of its own in a page
 * that all share. The lazy model stands alone: a page that moves would push the
 * write-combine buffer in the lock's stead. UE 0 prints: model, UEs, additions found, additions made,
 * page faults, requests passed on, requests that waited for an access.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "RCCE.h"
#include "svm.h"

#define WORDS (SVM_PAGE / 4)
/* Of a page, that all add to: so that most rounds meet another core's. */
#define FEW 4

static uint32_t random_below(uint32_t limit)
{
    static uint32_t state;

    if (state == 0)
        state = (uint32_t)RCCE_ue() * 7919 + 1;
    state = state * 1103515245u + 12345u;
    return (state >> 16) % limit;
}

int main(int argc, char **argv)
{
    int mine[4], sums[4], found = 0;

    RCCE_init(&argc, &argv);
    svm_init();
    int strong = argc < 2 || strcmp(argv[1], "strong") == 0;
    int pages = argc > 2 ? atoi(argv[2]) : 4;
    int locks = argc > 3 ? atoi(argv[3]) : 4;
    int rounds = argc > 4 ? atoi(argv[4]) : 20;
    volatile uint32_t *words =
        svm_alloc((size_t)pages * SVM_PAGE, strong ? SVM_STRONG : SVM_LAZY, 4);
    volatile uint32_t *own = svm_alloc(SVM_PAGE, SVM_STRONG, 1);
    int rank = RCCE_ue();

    for (int n = pages * rank / RCCE_num_ues() * WORDS;
         n < pages * (rank + 1) / RCCE_num_ues() * WORDS; n++)
        words[n] = 0;
    if (strong)
        own[rank] = 0;
    svm_barrier();
    for (int n = 0; n < rounds; n++) {
        uint32_t page = random_below((uint32_t)pages);
        int lock = (int)page % locks;

        svm_lock(lock);
        words[page * WORDS + random_below(FEW)]++;
        svm_unlock(lock);
        if (strong)
            own[rank]++;
    }
    svm_barrier();
    mine[0] = strong ? (int)own[rank] : 0;
    svm_barrier();
    if (rank == 0)
        for (int n = 0; n < pages * WORDS; n++)
            found += (int)words[n];
    mine[0] += found;
    mine[1] = (int)svm_counts()->faults;
    mine[2] = (int)svm_counts()->forwarded;
    mine[3] = (int)svm_counts()->deferred;
    RCCE_reduce((char *)mine, (char *)sums, 4, RCCE_INT, RCCE_SUM, 0,
                RCCE_COMM_WORLD);
    if (rank == 0)
        printf("%s %d %d %d %d %d %d\n", strong ? "strong" : "lazy",
               RCCE_num_ues(), sums[0], (1 + strong) * rounds * RCCE_num_ues(),
               sums[1], sums[2], sums[3]);
    svm_finalize();
    RCCE_finalize();
    return 0;
}
