// A loop counts until a number is negative, which the compiler takes for a loop without an end.
// cc: -O1 -g
// run: -n 1
// expect-exit: 76
// expect-stderr: the program ran behind the end of main \(loop_without_end\.c:\d+\), to where no code is
// expect-stderr: hint: look there for a loop without an end, .*`rck cc -O0` leaves them in

#include <stdio.h>

#ifdef MENDED
enum { STEP = 1 << 28 };
#define MORE(i) ((i) < 4 * (STEP / 2))
#else
enum { STEP = 1 };
#define MORE(i) ((i) >= 0)
#endif

int main(void)
{
    int i;
    for (i = 0; MORE(i); i += STEP)
        ;
    printf("%d\n", i);
    return 0;
}
