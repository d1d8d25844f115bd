// An owner that blocks SIGIO keeps its pages: who asks is informed of the owner.
// cc: -O2 -DRCCE_MAILBOX -lsvm -lrcce
// run: -n 2 --tag none
// slow: yes
// expect-exit: 1
// expect-stderr: svm: UE 0 \(core 0\): UE 1 \(core 1\), owner of page 1 at 0x[0-9a-f]+, does not answer
// expect-stderr: hint: did it end, or does it block SIGIO
#include <signal.h>
#include <unistd.h>

#include "RCCE.h"
#include "svm.h"

int main(int argc, char **argv)
{
    sigset_t set;

    RCCE_init(&argc, &argv);
    svm_init();
    volatile int *memory = svm_alloc(2 * SVM_PAGE, SVM_STRONG, 1);

    sigemptyset(&set);
    sigaddset(&set, SIGIO);
    if (RCCE_ue() == 1) {
        sigprocmask(SIG_BLOCK, &set, NULL);
        for (int n = 0; n < 60; n++)
            usleep(100000);
        _exit(0);
    }
    memory[SVM_PAGE / 4] = 1;
    return 0;
}
