// The program copies a string into a local array that is too short (compiled with `-fstack-protector-all`).
// cc: -O0 -g -fstack-protector-all
// run: -n 1
// expect-exit: 76
// expect-stderr: stack smashing: a write went beyond an array on the stack
// expect-stderr: at copy \(string_overrun\.c:23\)
// expect-stderr: hint: look for an array of the function named first that is shorter than what goes into it

#include <stdio.h>
#include <string.h>

#ifdef MENDED
enum { ROOM = 64 };
#else
enum { ROOM = 8 };
#endif

static void copy(const char *text)
{
    char room[ROOM];
    strcpy(room, text);
    puts(room);
}

int main(void)
{
    copy("a text that is longer");
    return 0;
}
