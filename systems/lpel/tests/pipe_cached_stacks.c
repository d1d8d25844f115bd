// pipe.c with the variant LPEL_CACHED_STACKS.
// cc: -O2 -DVARIANT=LPEL_CACHED_STACKS -DMESSAGES=12 -I${system}/tests -llpel -lrcce
// run: -n 4 --tag none
// expect-stdout:
// sum 66 of 12, last 11
// blocks 0 damaged 0
#include <pipe.c>
