// A string that is one byte too long reaches what the C library keeps of the next block.
// cc: -O1 -g
// run: -n 1
// expect-exit: 76
// expect-stderr: free\(\): invalid pointer
// expect-stderr: aborted \(a wrong free\)
// expect-stderr: at main \(header_overwritten\.c:24\)

#include <stdlib.h>
#include <string.h>

#ifdef MENDED
enum { LETTERS = 23 };
#else
enum { LETTERS = 24 };
#endif

int main(void)
{
    char *volatile text = malloc(24), *volatile next = malloc(24);
    memset(text, 'x', LETTERS);
    text[LETTERS] = 0;
    free(text);
    free(next);
    return 0;
}
