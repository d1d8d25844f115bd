// More than one controller has is refused, with a way out.
// cc: -O2 -DRCCE_MAILBOX -lsvm -lrcce
// run: -n 1 --tag none
// expect-exit: 1
// expect-stderr: svm_alloc: 16384 KB do not fit behind controller 0: 196 KB of 16384 are taken
// expect-stderr: hint: spread it over four controllers
#include "RCCE.h"
#include "svm.h"

int main(int argc, char **argv)
{
    RCCE_init(&argc, &argv);
    svm_init();
    svm_alloc(0x1000000, SVM_LAZY, 1);
    return 0;
}
