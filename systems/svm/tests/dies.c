// A core that dies is reported to those that wait for its lock, its page and at a
// barrier: an error each, and no hang.
// cc: -O2 -DRCCE_MAILBOX -lsvm -lrcce
// run: -n 4 --tag none --fault "die:core=3@4ms"
// expect-exit: 1
// expect-stdout:
// all there
// expect-stderr: svm: UE 0 \(core 0\): UE 3 \(core 3\) does not answer: it has stopped
// expect-stderr: svm: UE 1 \(core 1\): UE 3 \(core 3\) does not answer
// expect-stderr: svm: UE 2 \(core 2\): UE 3 \(core 3\) does not answer
#include <stdio.h>
#include <unistd.h>

#include "RCCE.h"
#include "svm.h"

int main(int argc, char **argv)
{
    RCCE_init(&argc, &argv);
    svm_init();
    volatile int *memory = svm_alloc(4 * SVM_PAGE, SVM_STRONG, 1);
    int last = 3 * SVM_PAGE / 4;

    if (RCCE_ue() == 0)
        puts("all there");
    if (RCCE_ue() == 3)
        svm_lock(0);
    svm_barrier();
    if (RCCE_ue() == 3)
        for (;;)
            memory[last]++;
    usleep(3000);
    if (RCCE_ue() == 1)
        svm_lock(0);
    if (RCCE_ue() == 2)
        memory[last] = 1;
    svm_barrier();
    puts("all came");
    svm_finalize();
    RCCE_finalize();
    return 0;
}
