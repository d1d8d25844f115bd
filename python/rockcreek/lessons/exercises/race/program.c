/* Four threads count the even numbers of a table. */
#include <pthread.h>
#include <stdio.h>

enum { THREADS = 4, NUMBERS = 400 };

static int table[NUMBERS], even;

static void *count(void *argument)
{
    int first = (int)(size_t)argument * (NUMBERS / THREADS);

    for (int n = first; n < first + NUMBERS / THREADS; n++)
        if (table[n] % 2 == 0)
            even++;
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];

    for (int n = 0; n < NUMBERS; n++)
        table[n] = n;
    for (size_t n = 0; n < THREADS; n++)
        pthread_create(&threads[n], NULL, count, (void *)n);
    for (int n = 0; n < THREADS; n++)
        pthread_join(threads[n], NULL);
    printf("%d are even\n", even);
    return 0;
}
