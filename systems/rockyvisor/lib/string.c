/* string.c: the words of a command line. */
#include "visor.h"

/* Words end with a blank. */
bool text_starts(const char *text, const char *with)
{
    while (*with && *text == *with)
        text++, with++;
    return *with == 0;
}
