// Reads behind a barrier: no finding.
// cc: -O2 -pthread -I${system}/tests
// run: -n 2 --tag none --threads-model uncached --check races
// expect-stdout:
// all 36
// expect-stderr: no findings
#define MENDED
#include <racy_read.c>
