/*
 * Mistakes of threads, which share one heap; with MENDED nobody makes any. What
 * a thread frees another one uses.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#ifdef MENDED
#define WRONG(wrong, right) right
#else
#define WRONG(wrong, right) wrong
#endif

static char *text, *numbers, *letters;
static volatile int sum;
static void *volatile hidden;

static void *work(void *argument)
{
    (void)argument;
    WRONG(free(text), sum++);
    numbers[WRONG(16, 15)] = 1; /* beyond-block */
    WRONG(free(letters), sum++);
    return NULL;
}

int main(void)
{
    pthread_t thread;

    text = malloc(100);
    numbers = malloc(16);
    letters = malloc(200);
    strcpy(text, "text");
    if (pthread_create(&thread, NULL, work, NULL))
        return 1;
    pthread_join(thread, NULL);
    sum += text[2]; /* use-after-free */
    WRONG(sum++, free(text));
    free(numbers);
    for (int i = 0; i < 3; i++) {
        hidden = malloc(24); /* leak */
        WRONG(sum++, free(hidden));
    }
    hidden = NULL;
    free(letters); /* double-free */
    return 0;
}
