/* program.c: a program of `rck smp -n 4`: its words, threads, input, files and exit
 * code. */
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

/* All of standard input into a file, and that file again. */
static int copied(void)
{
    char line[128];
    FILE *file = fopen("copy", "w+");
    int bytes = 0;

    while (file && fgets(line, sizeof(line), stdin))
        fputs(line, file);
    if (!file || fseek(file, 0, SEEK_SET) != 0)
        return -1;
    while (fgetc(file) != EOF)
        bytes++;
    fclose(file);
    return bytes;
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
    printf(", %d threads, %d bytes", ran, copied());
    return 3;
}
