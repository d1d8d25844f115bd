// cc: -pthread -O1 -fno-builtin-malloc
// run: -q -n 2 --tag none
// expect-stdout:
// none
// joined
// cut
// expect-stderr: crf: thread on core 0: malloc of 307200 KB returns null: of the 256 MB that threads share \d+ KB are left
// expect-stderr: hint: there is no more for threads
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MB (1u << 20)

static void *nothing(void *argument)
{
    return argument;
}

/* What was freed in pieces is one again, in whatever order, and a part of it
 * leaves the rest. */
int main(void)
{
    static const int order[] = {3, 0, 2, 1, 4, 5};
    char *part[6], *whole, *half, *other;
    pthread_t thread;

    pthread_create(&thread, 0, nothing, 0);
    pthread_join(thread, 0);
    puts(malloc(300 * MB) ? "some" : "none");
    for (int n = 0; n < 6; n++)
        part[n] = memset(malloc(5 * MB), n, 4096);
    for (int n = 0; n < 6; n++)
        free(part[order[n]]);
    whole = malloc(29 * MB);
    puts(whole == part[0] ? "joined" : "apart");
    free(whole);
    half = malloc(14 * MB);
    other = malloc(14 * MB);
    puts(half == part[0] && other > half && other < half + 15 * MB ? "cut"
                                                                   : "waste");
    free(other);
    free(half);
    return 0;
}
