// Eight cores, pages of the lazy model, locks that carry its fences.
// cc: -O2 -I${system}/programs -DRCCE_MAILBOX -lsvm -lrcce
// run: -n 8 --tag none --check coherence -- lazy 2 2 10
// expect-match: ^lazy 8 80 80 0\b
// expect-stderr: no findings
#include <storm.c>
