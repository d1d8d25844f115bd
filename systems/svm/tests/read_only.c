// Read-only pages are read by all; a write is reported.
// cc: -O2 -DRCCE_MAILBOX -lsvm -lrcce
// run: -n 3 --tag none
// expect-exit: 76
// expect-stdout:
// sum 21 of faults 1
// expect-stderr: svm: UE 0 \(core 0\): write to 0x[0-9a-f]+ by the instruction at 0x[0-9a-f]+: page 1 of the segment at 0x[0-9a-f]+ is read-only
#include <stdio.h>

#include "RCCE.h"
#include "svm.h"

int main(int argc, char **argv)
{
    int sum;

    RCCE_init(&argc, &argv);
    svm_init();
    volatile int *memory = svm_alloc(2 * SVM_PAGE, SVM_STRONG, 4);

    if (RCCE_ue() == 0)
        memory[0] = 4;
    if (RCCE_ue() == 2)
        memory[SVM_PAGE / 4] = 3;
    svm_read_only((void *)memory, 2 * SVM_PAGE);
    int mine = memory[0] + memory[SVM_PAGE / 4];
    RCCE_reduce((char *)&mine, (char *)&sum, 1, RCCE_INT, RCCE_SUM, 0,
                RCCE_COMM_WORLD);
    if (RCCE_ue() == 0) {
        printf("sum %d of faults %d\n", sum, (int)svm_counts()->faults);
        memory[SVM_PAGE / 4 + 1] = 1;
    }
    svm_finalize();
    RCCE_finalize();
    return 0;
}
