// printf gets a number for %s.
// cc: -O0 -g -Wno-format-nonliteral
// run: -n 1
// expect-exit: 76
// expect-stderr: segmentation fault at address 0x0000002a
// expect-stderr: called from main \(printf_of_a_number\.c:18\)
// expect-stderr: hint: printf: compare the format with its arguments: %s wants a string, %d a number

#include <stdio.h>

int main(void)
{
    int number = 42;
    const char *format = "%s\n";
#ifdef MENDED
    format = "%d\n";
#endif
    printf(format, number);
    return 0;
}
