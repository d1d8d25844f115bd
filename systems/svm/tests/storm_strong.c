// Eight cores for two pages: no addition is lost, with locks and without.
// cc: -O2 -I${system}/programs -DRCCE_MAILBOX -lsvm -lrcce
// run: -n 8 --tag none --check coherence -- strong 2 2 10
// expect-match: ^strong 8 160 160 [1-9]
// expect-stderr: no findings
#include <storm.c>
