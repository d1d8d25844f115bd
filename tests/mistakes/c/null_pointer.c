// The program reads an element beyond the end of a linked list.
// cc: -O0 -g
// run: -n 1
// expect-exit: 76
// expect-stderr: segmentation fault at address 0x00000000 \(a null pointer\?\)
// expect-stderr: at main \(null_pointer\.c:24\)
// expect-stderr: hint: look for a pointer that was never set, at the line named above; malloc, fopen and RCCE_malloc return NULL where they fail

#include <stdio.h>

struct item {
    int value;
    struct item *next;
};

int main(void)
{
    struct item one = {1, NULL}, two = {2, &one};
#ifdef MENDED
    for (struct item *at = &two; at; at = at->next)
        printf("%d\n", at->value);
#else
    for (struct item *at = &two;; at = at->next)
        printf("%d\n", at->value);
#endif
    return 0;
}
