// An atomic write instead: no finding.
// cc: -O1 -pthread -DMENDED -I${system}/tests
// run: -n 4 --tag none --check races
// also-slow: --threads-model lazy
// expect-stdout:
// seen 1
// expect-stderr: check: no findings
#include <racy_atomic.c>
