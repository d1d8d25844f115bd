// What the launcher says in words: counts that are none, cores that are none.
// run: -n 1 --tag none
// expect-stdout:
// 4 0 0 0 0 0 5
#include <stdio.h>

#include "scc/job.h"

static int taken(int count, ...)
{
    __builtin_va_list words;
    char *word[8];

    __builtin_va_start(words, count);
    for (int n = 0; n < count; n++)
        word[n] = __builtin_va_arg(words, char *);
    __builtin_va_end(words);
    return scc_job_from_words(count, word);
}

int main(void)
{
    printf("%d ", taken(5, "3", "0.533", "0-1", "7", "own"));
    printf("%d ", taken(3, "3", "0.533", "0-1"));
    printf("%d ", taken(3, "1", "0.533", "512"));
    printf("%d ", taken(3, "0", "0.533", "0"));
    printf("%d ", taken(3, "1", "fast", "0"));
    printf("%d ", taken(3, "2", "0.533", "3-1"));
    printf("%d\n", taken(5, "3", "0.533", "5", "6", "511"));
    return 0;
}
