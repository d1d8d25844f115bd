/*
 * costs.c: what a page fault of the strong model costs, in cycles.
 *
 *   costs [ROUNDS]
 *
 * On two UEs: UE 0 takes a page from UE 1. On three: UE 1 has passed the page
 * to UE 2 in the meantime; UE 0 cannot know the owner better than the vector
 * does, so forwarding is counted, not forced. UE 0 prints: its core, the
 * owner's, cycles of a touch from instruction to instruction, of the handler's
 * part until the page is its own, of sending the mail.
 */
#include <stdio.h>
#include <stdlib.h>

#include "RCCE.h"
#include "svm.h"

static uint64_t cycles_now(void)
{
    return __builtin_ia32_rdtsc();
}

int main(int argc, char **argv)
{
    uint64_t touch = 0;

    RCCE_init(&argc, &argv);
    svm_init();
    int rounds = argc > 1 ? atoi(argv[1]) : 16;
    volatile uint32_t *page = svm_alloc(SVM_PAGE, SVM_STRONG, 1);
    const struct svm_counts *counts = svm_counts();

    for (int n = 0; n < rounds; n++) {
        if (RCCE_ue() == 1)
            page[0] = (uint32_t)n;
        svm_barrier();
        if (RCCE_ue() == 0) {
            uint64_t start = cycles_now();

            page[1] = (uint32_t)n;
            touch += cycles_now() - start;
        }
        svm_barrier();
    }
    if (RCCE_ue() == 0 && counts->faults)
        printf("%llu %llu %llu\n", (unsigned long long)touch / rounds,
               (unsigned long long)counts->fault_cycles / counts->faults,
               (unsigned long long)counts->mail_cycles / counts->faults);
    svm_finalize();
    RCCE_finalize();
    return 0;
}
