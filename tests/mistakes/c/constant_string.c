// A string constant is changed.
// cc: -O0 -g
// run: -n 1
// expect-exit: 76
// expect-stderr: at main \(constant_string\.c:17\)
// expect-stderr: hint: it writes to memory that is only read: a string constant, a constant or code

#include <stdio.h>

int main(void)
{
#ifdef MENDED
    char text[] = "text";
#else
    char *text = "text";
#endif
    text[0] = 'T';
    puts(text);
    return 0;
}
