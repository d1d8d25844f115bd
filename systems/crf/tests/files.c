// Files and descriptors are the program's, whichever core opened them; so are
// mmap's memory and what is done at a signal; exit ends the program from anywhere.
// cc: -O2 -pthread
// run: -n 3 --tag none
// also-slow: --threads-model lazy
// also-slow: --threads-model strong
// share: yes
// expect-exit: 3
// expect-stdout:
// lines 400 bytes 12800 parts f sizes 16
// mapped 4 of file cd signals 4 cores 3
// at the end
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define THREADS 4

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static FILE *written;
static int parts, signals, sizes, *memory;
static char came[THREADS + 1];

static void on_signal(int number)
{
    signals += number == SIGUSR1;
}

static void *work(void *argument)
{
    int number = (int)(long)argument;
    struct stat status;

    for (int line = 0; line < 100; line++) {
        pthread_mutex_lock(&lock);
        fprintf(written, "thread %d writes its line %03d ..\n", number, line);
        pthread_mutex_unlock(&lock);
    }
    pthread_mutex_lock(&lock);
    if (read(parts, came + number, 1) != 1)
        perror("read");
    if (fstat(parts, &status) == 0)
        sizes += (int)status.st_size;
    memory[0]++;
    raise(SIGUSR1);
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *leave(void *argument)
{
    exit(argument == NULL ? 3 : 4);
}

static void at_end(void)
{
    puts("at the end");
}

static void *run(void *(*start)(void *), int count)
{
    pthread_t threads[THREADS];

    for (long n = 0; n < count; n++)
        pthread_create(&threads[n], NULL, start, (void *)n);
    for (int n = 0; n < count; n++)
        pthread_join(threads[n], NULL);
    return NULL;
}

int main(void)
{
    char line[64], *mapped;
    int lines = 0, bytes = 0, seen = 0;

    atexit(at_end);
    signal(SIGUSR1, on_signal);
    written = fopen("lines", "w+");
    parts = open("parts", O_RDWR | O_CREAT, 0600);
    if (write(parts, "abcd", 4) != 4 || lseek(parts, 0, SEEK_SET) != 0)
        perror("parts");
    memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
                  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    run(work, THREADS);
    rewind(written);
    while (fgets(line, sizeof line, written)) {
        lines++;
        bytes += (int)strlen(line);
    }
    for (int n = 0; n < THREADS; n++)
        seen |= 1 << (came[n] - 'a');
    printf("lines %d bytes %d parts %x sizes %d\n", lines, bytes, seen, sizes);
    mapped = mmap(NULL, 4, PROT_READ, MAP_PRIVATE, parts, 0);
    printf("mapped %d of file %.2s signals %d cores %ld\n", memory[0],
           mapped + 2, signals, sysconf(_SC_NPROCESSORS_ONLN));
    run(leave, 1);
    return 0;
}
