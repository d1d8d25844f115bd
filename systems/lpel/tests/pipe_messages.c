// pipe.c with the variant LPEL_MESSAGES.
// cc: -O2 -DVARIANT=LPEL_MESSAGES -I${system}/tests -llpel -lircce -lrcce
// run: -n 4 --tag none
// expect-stdout:
// sum 19900 of 200, last 199
// blocks 0 damaged 0
#include <pipe.c>
