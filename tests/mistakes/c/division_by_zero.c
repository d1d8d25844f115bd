// The program divides a sum by a count of 0.
// cc: -O0 -g
// run: -n 1
// expect-exit: 76
// expect-stderr: arithmetic fault \(division by zero or overflow\)
// expect-stderr: at main \(division_by_zero\.c:16\)
// expect-stderr: hint: look at the line named above

#include <stdio.h>
int main(void)
{
    volatile int count = 0, sum = 0;
#ifdef MENDED
    count = 1;
#endif
    printf("mean %d\n", sum / count);
    return 0;
}
