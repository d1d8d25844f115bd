// Arguments that UEs do not share, and memory that is not there.
// cc: -O2 -DRCCE_MAILBOX -lsvm -lrcce
// run: -n 2 --tag none
// expect-exit: 75
// expect-stderr: svm: UE 1 \(core 1\): svm_alloc: argument 1 is 8192 here and 4096 on UE 0
// expect-stderr: hint: all UEs must give the same arguments
#include "RCCE.h"
#include "svm.h"

int main(int argc, char **argv)
{
    RCCE_init(&argc, &argv);
    svm_init();
    svm_alloc(SVM_PAGE * (RCCE_ue() + 1), SVM_LAZY, 1);
    return 0;
}
