// The program calls a function pointer that has no valid value.
// cc: -O0 -g
// run: -n 1
// expect-exit: 76
// expect-stderr: segmentation fault at address 0x12345678
// expect-stderr: hint: the program jumped there: look for a bad function pointer or a smashed stack

#include <stdio.h>

static void hello(void)
{
    puts("hello");
}

static void (*volatile action)(void) = (void (*)(void))0x12345678;
void (*keep)(void) = hello;

int main(void)
{
#ifdef MENDED
    action = hello;
#endif
    action();
    return 0;
}
