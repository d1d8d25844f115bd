/*
 * getsubopt.c: the next option of a list with commas. The value of one that is
 * not known is the whole option, as GNU's library has it.
 */
#include <stdlib.h>
#include <string.h>

int getsubopt(char **options, char *const *known, char **value)
{
    char *word = *options, *end = strchrnul(word, ','), *equals;
    size_t length;

    *options = *end ? end + 1 : end;
    *end = 0;
    equals = strchr(word, '=');
    length = equals ? (size_t)(equals - word) : strlen(word);
    *value = equals ? equals + 1 : NULL;
    for (int n = 0; known[n]; n++)
        if (strlen(known[n]) == length && !memcmp(known[n], word, length))
            return n;
    *value = word;
    return -1;
}
