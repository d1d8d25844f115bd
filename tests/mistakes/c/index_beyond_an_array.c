// An index is one too large for a local array (compiled with `-fsanitize=bounds`).
// cc: -O1 -g -fsanitize=bounds
// run: -n 1
// expect-exit: 76
// expect-stderr: core 00 \(tile 0,0\): an index beyond its array
// expect-stderr: at main \(index_beyond_an_array\.c:21\)
// expect-stderr: hint: compare the index with the array's size

#include <stdio.h>

#ifdef MENDED
enum { ROOM = 12 };
#else
enum { ROOM = 11 };
#endif

int main(void)
{
    volatile int days[ROOM], sum = 0;
    for (int month = 0; month < 12; month++) {
        days[month] = 30;
        sum += days[month];
    }
    printf("%d\n", sum);
    return 0;
}
