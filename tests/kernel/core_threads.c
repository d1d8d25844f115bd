// Threads of one core: they share everything, take turns while they compute, and give the core away
// while they wait; each has its x87, its thread-local variables and its signals.
// cc: -O1 -pthread=core
// run: -n 1 --tag none
// also: --no-translate
// expect-stdout:
// 40 threads: 8000 increments, 0 wrong sums, 0 wrong thread-local values
// two threads passed the turn 100 times
// ten sleeps of 5 ms took 5 ms
// a reader got "hello" from a pipe
// a thread that spins was interrupted
// a thread that slept was cancelled
// a wait ended by time: Operation timed out
// a signal reached the thread it was sent to: 1
// the last thread's end ends the program
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define THREADS 40

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_t threads[THREADS];
static int increments, wrong_locals, turn, passed;
static __thread long mine;
static volatile sig_atomic_t got_signal;
static pthread_t signalled;

/* A sum on the x87's stack while others compute theirs. */
static void *compute(void *number)
{
    double sum = 0;

    mine = (long)number;
    for (int n = 1; n <= 20000; n++) {
        sum += 1.0 / n;
        if (n % 100 == 0) {
            pthread_mutex_lock(&lock);
            increments++;
            pthread_mutex_unlock(&lock);
        }
    }
    wrong_locals += mine != (long)number;
    return (void *)(long)(sum * 1000);
}

static void many(void)
{
    void *sum, *first = 0;
    int wrong = 0;

    for (long n = 0; n < THREADS; n++)
        if (pthread_create(&threads[n], 0, compute, (void *)n))
            printf("no thread %ld\n", n);
    for (int n = 0; n < THREADS; n++) {
        pthread_join(threads[n], &sum);
        first = n ? first : sum;
        wrong += sum != first || (long)sum != 10480;
    }
    printf("%d threads: %d increments, %d wrong sums, %d wrong thread-local "
           "values\n",
           THREADS, increments, wrong, wrong_locals);
}

static void *pass_turn(void *number)
{
    for (int n = 0; n < 50; n++) {
        pthread_mutex_lock(&lock);
        while (turn != (int)(long)number)
            pthread_cond_wait(&changed, &lock);
        turn = !turn;
        passed++;
        pthread_cond_broadcast(&changed);
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

static void *sleep_5_ms(void *unused)
{
    nanosleep(&(struct timespec){0, 5000000}, 0);
    return unused;
}

static void *read_pipe(void *descriptor)
{
    char text[8] = "";

    read(*(int *)descriptor, text, sizeof(text) - 1);
    printf("a reader got \"%s\" from a pipe\n", text);
    return 0;
}

static void *spin(void *flag)
{
    while (!*(volatile int *)flag) {
    }
    return 0;
}

static void *sleep_long(void *unused)
{
    sleep(1000);
    return unused;
}

static void note(int number)
{
    (void)number;
    got_signal = pthread_equal(pthread_self(), signalled) ? 1 : 2;
}

static void *spin_for_signal(void *unused)
{
    while (!got_signal) {
    }
    return unused;
}

static void start(int count, void *(*body)(void *))
{
    for (long n = 0; n < count; n++)
        pthread_create(&threads[n], 0, body, (void *)n);
    for (int n = 0; n < count; n++)
        pthread_join(threads[n], 0);
}

static long milliseconds(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

static void waits(void)
{
    int ends[2], flag = 0;
    long begin = milliseconds();
    struct timespec soon;
    void *result;

    start(10, sleep_5_ms);
    printf("ten sleeps of 5 ms took %ld ms\n",
           (milliseconds() - begin) / 5 * 5);
    pipe(ends);
    pthread_create(&threads[0], 0, read_pipe, ends);
    usleep(1000);
    write(ends[1], "hello", 5);
    pthread_join(threads[0], 0);
    pthread_create(&threads[0], 0, spin, &flag);
    usleep(20000);
    flag = 1;
    pthread_join(threads[0], 0);
    puts("a thread that spins was interrupted");
    pthread_create(&threads[0], 0, sleep_long, 0);
    usleep(1000);
    pthread_cancel(threads[0]);
    pthread_join(threads[0], &result);
    printf("a thread that slept was %s\n",
           result == PTHREAD_CANCELED ? "cancelled" : "not cancelled");
    clock_gettime(CLOCK_REALTIME, &soon);
    soon.tv_nsec += 3000000;
    pthread_mutex_lock(&lock);
    printf("a wait ended by time: %s\n",
           strerror(pthread_cond_timedwait(&changed, &lock, &soon)));
    pthread_mutex_unlock(&lock);
}

static void *last(void *unused)
{
    usleep(1000);
    puts("the last thread's end ends the program");
    return unused;
}

int main(void)
{
    many();
    start(2, pass_turn);
    printf("two threads passed the turn %d times\n", passed);
    waits();
    signal(SIGUSR1, note);
    pthread_create(&signalled, 0, spin_for_signal, 0);
    usleep(1000);
    pthread_kill(signalled, SIGUSR1);
    pthread_join(signalled, 0);
    printf("a signal reached the thread it was sent to: %d\n", (int)got_signal);
    pthread_create(&threads[0], 0, last, 0);
    pthread_exit(0);
}
