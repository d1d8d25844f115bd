/*
 * sharing.c: FalseSharing, NoFalseSharing and LocalDataAccess [kim-svm], with
 * pthreads only.
 *
 *   sharing false|none|local|lock [THREADS ITERATIONS]
 *
 * All threads together add one to each byte of an array, ITERATIONS times. The
 * array's chunks, dealt out in turn, have 16 bytes (several threads share a
 * line of 32) or 64; `local` adds as often to bytes of each thread's own, and
 * `lock` to one counter under a mutex, ITERATIONS times each thread. The output
 * is the kind, the threads, the microseconds from the first barrier to the
 * last, and the sum of all bytes or the counter.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define BYTES 24576
#define LOCAL 512

static unsigned char array[BYTES] __attribute__((aligned(4096)));
static pthread_barrier_t barrier;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static long counter;
static int threads, iterations, chunk;
static void (*add)(int number);
static long sums[64];

static void add_shared(int number)
{
    for (int n = 0; n < iterations; n++)
        for (int at = number * chunk; at < BYTES; at += threads * chunk)
            for (int byte = 0; byte < chunk; byte++)
                array[at + byte]++;
}

static void add_local(int number)
{
    unsigned char own[LOCAL] = {0};
    int times = BYTES / LOCAL * iterations;
    long sum = 0;

    times = times * (number + 1) / threads - times * number / threads;
    for (int n = 0; n < times; n++) {
        for (int byte = 0; byte < LOCAL; byte++)
            own[byte]++;
        __asm__ volatile("" : : "r"(own) : "memory");
    }
    for (int byte = 0; byte < LOCAL; byte++)
        sum += own[byte] == (unsigned char)times ? times : 0;
    sums[number] = sum;
}

static void add_locked(int number)
{
    (void)number;
    for (int n = 0; n < iterations; n++) {
        pthread_mutex_lock(&mutex);
        counter++;
        pthread_mutex_unlock(&mutex);
    }
}

static void *work(void *argument)
{
    int number = *(int *)argument;

    pthread_barrier_wait(&barrier);
    add(number);
    pthread_barrier_wait(&barrier);
    return NULL;
}

static long microseconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

int main(int argc, char **argv)
{
    const char *kind = argc > 1 ? argv[1] : "false";
    pthread_t others[64];
    int numbers[64];
    long start, end, sum;

    threads = argc > 2 ? atoi(argv[2]) : 2;
    iterations = argc > 3 ? atoi(argv[3]) : 20;
    add = strcmp(kind, "local") == 0  ? add_local
          : strcmp(kind, "lock") == 0 ? add_locked
                                      : add_shared;
    chunk = strcmp(kind, "false") == 0 ? 16 : 64;
    pthread_barrier_init(&barrier, NULL, (unsigned)threads);
    for (int n = 0; n < threads; n++)
        numbers[n] = n;
    for (int n = 1; n < threads; n++)
        if (pthread_create(&others[n], NULL, work, &numbers[n]))
            return 1;
    pthread_barrier_wait(&barrier);
    start = microseconds();
    add(0);
    pthread_barrier_wait(&barrier);
    end = microseconds();
    for (int n = 1; n < threads; n++)
        pthread_join(others[n], NULL);
    sum = counter;
    for (int n = 0; n < BYTES; n++)
        sum += array[n];
    for (int n = 0; n < threads; n++)
        sum += sums[n];
    printf("%s %d %ld %ld\n", kind, threads, end - start, sum);
    return 0;
}
