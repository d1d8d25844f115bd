/* Threads add to a number of their own: all in one line (and page), or each in its own page. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { THREADS = 4, ROUNDS = 160, FAR = 4096 };

static char numbers[THREADS * FAR] __attribute__((aligned(4096)));
static size_t apart;
static pthread_barrier_t barrier;

static void *add(void *argument)
{
    volatile int *own = (volatile int *)(numbers + (size_t)argument * apart);

    for (int n = 0; n < ROUNDS; n++) {
        ++*own;
        if (n % 4 == 0)
            pthread_barrier_wait(&barrier);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t threads[THREADS];

    apart = argc > 1 && strcmp(argv[1], "false") == 0 ? sizeof(int) : FAR;
    pthread_barrier_init(&barrier, NULL, THREADS);
    for (size_t n = 0; n < THREADS; n++)
        pthread_create(&threads[n], NULL, add, (void *)n);
    for (int n = 0; n < THREADS; n++)
        pthread_join(threads[n], NULL);
    printf("%d\n", *(int *)numbers);
    return 0;
}
