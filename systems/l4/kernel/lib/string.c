/* string.c: texts. */
#include "kernel/kernel.h"

bool text_equal(const char *a, const char *b)
{
    while (*a && *a == *b)
        a++, b++;
    return *a == *b;
}
