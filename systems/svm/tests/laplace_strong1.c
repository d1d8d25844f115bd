// Laplace on five cores: all variants have the same bits as on one.
// cc: -O2 -I${system}/programs -DRCCE_MAILBOX -lsvm -lircce -lrcce
// run: -n 5 --tag none --check coherence -- strong1 32 64 3
// expect-match: ^strong1 5 [0-9]+ c8bd8c80
// expect-stderr: no findings
#include <laplace.c>
