/* program.c: a program of `rck smp -n 4`: its words, threads and exit code. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define THREADS 4

static int ran;

static void *run(void *argument)
{
    __atomic_add_fetch(&ran, 1, __ATOMIC_SEQ_CST);
    return argument;
}

int main(int count, char **words)
{
    pthread_t threads[THREADS];

    for (int n = 0; n < THREADS; n++)
        pthread_create(&threads[n], NULL, run, NULL);
    for (int n = 0; n < THREADS; n++)
        pthread_join(threads[n], NULL);
    printf("%ld processors, A=%s", sysconf(_SC_NPROCESSORS_ONLN), getenv("A"));
    for (int n = 1; n < count; n++)
        printf(", %s", words[n]);
    printf(", %d threads\n", ran);
    return 3;
}
