// The tree of 8 cores, with small caches; check.py judges larger runs (test_jcell.py).
// cc: -DGORY -I${system}/programs -ljcell -lrcce
// run: -n 8 -- 80 2000 20 2
// expect-match: committed 10 of 10 aborted
#include <jcell.c>
