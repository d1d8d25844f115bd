// A function writes beyond a local array of its caller, over the caller's return address.
// cc: -O1 -g
// run: -n 1
// expect-exit: 76
// expect-stderr: a function returned to 0x00000005, where no code is: its return address was overwritten
// expect-stderr: called from sum \(array_overrun\.c:26\)
// expect-stderr: hint: look for a write beyond an array on the stack in sum or in what it calls

#include <stdio.h>

#ifdef MENDED
enum { ROOM = 12 };
#else
enum { ROOM = 4 };
#endif

__attribute__((noinline)) static void fill(int *numbers, int count)
{
    for (int i = 0; i < count; i++)
        numbers[i] = i & 5;
}

__attribute__((noinline)) static int sum(void)
{
    int numbers[ROOM];
    fill(numbers, 12);
    return numbers[1] + numbers[3];
}

int main(void)
{
    printf("%d\n", sum());
    return 0;
}
