// A write beyond a segment is reported with the segment next to it.
// cc: -O2 -DRCCE_MAILBOX -lsvm -lrcce
// run: -n 2 --tag none
// expect-exit: 76
// expect-stderr: svm: UE 1 \(core 1\): write to 0x[0-9a-f]+ by the instruction at 0x[0-9a-f]+: 5 bytes beyond the nearest shared segment, 2 pages at 0x
#include "RCCE.h"
#include "svm.h"

int main(int argc, char **argv)
{
    RCCE_init(&argc, &argv);
    svm_init();
    volatile char *memory = svm_alloc(2 * SVM_PAGE, SVM_STRONG, 1);

    if (RCCE_ue() == 1)
        memory[2 * SVM_PAGE + 4] = 1;
    svm_finalize();
    RCCE_finalize();
    return 0;
}
