// The owner of a page ends: who asks for the page gets an error, no hang.
// cc: -O2 -DRCCE_MAILBOX -lsvm -lrcce
// run: -n 2 --tag none
// expect-exit: 1
// expect-stderr: svm: UE 0 \(core 0\): UE 1 \(core 1\) does not answer: it has stopped
#include <unistd.h>

#include "RCCE.h"
#include "svm.h"

int main(int argc, char **argv)
{
    RCCE_init(&argc, &argv);
    svm_init();
    volatile int *memory = svm_alloc(2 * SVM_PAGE, SVM_STRONG, 1);

    if (RCCE_ue() == 1)
        _exit(0);
    memory[SVM_PAGE / 4] = 1;
    return 0;
}
