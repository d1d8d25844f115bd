// A hundred threads of one core, which compute, sleep, or wait for a word in a queue: none waits
// 200 ms of the chip's time for its turn.
// cc: -O1 -pthread=core
// run: -n 1 --tag none
// expect-stdout:
// 100 threads for 400 ms: 34 computed, 33 slept, 33 got words
// the longest wait for the core was under 200 ms
#include <pthread.h>
#include <stdio.h>
#include <time.h>

#define THREADS 100
#define RUN_US 400000
#define LIMIT_US 200000
#define SLEEP_US 3000

struct queue {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    long sent_us; /* when the word in it was put there; 0: it is empty */
};

static struct queue queues[THREADS];
static long longest_us[THREADS], rounds[THREADS];
static long began_us;

static long now_us(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000l + now.tv_nsec / 1000;
}

static int is_over(void)
{
    return now_us() - began_us > RUN_US;
}

static void waited(long me, long us)
{
    rounds[me]++;
    if (us > longest_us[me])
        longest_us[me] = us;
}

/* Each look at the clock comes at once, or the core was elsewhere. */
static void *compute(void *number)
{
    long me = (long)number, before = now_us();

    while (!is_over()) {
        long now = now_us();

        waited(me, now - before);
        before = now;
    }
    return NULL;
}

static void *sleep_often(void *number)
{
    const struct timespec length = {.tv_nsec = SLEEP_US * 1000l};

    while (!is_over()) {
        long before = now_us();

        nanosleep(&length, NULL);
        waited((long)number, now_us() - before - SLEEP_US);
    }
    return NULL;
}

static void *take_words(void *number)
{
    struct queue *queue = &queues[(long)number];

    pthread_mutex_lock(&queue->lock);
    for (;;) {
        while (!queue->sent_us)
            pthread_cond_wait(&queue->changed, &queue->lock);
        if (queue->sent_us < 0)
            break;
        waited((long)number, now_us() - queue->sent_us);
        queue->sent_us = 0;
    }
    pthread_mutex_unlock(&queue->lock);
    return NULL;
}

static void put(struct queue *queue, long word)
{
    pthread_mutex_lock(&queue->lock);
    if (!queue->sent_us || word < 0)
        queue->sent_us = word;
    pthread_cond_signal(&queue->changed);
    pthread_mutex_unlock(&queue->lock);
}

int main(void)
{
    static void *(*const kinds[])(void *) = {compute, sleep_often, take_words};
    const struct timespec pause = {.tv_nsec = 5000000l};
    pthread_t threads[THREADS];
    long longest = 0;
    int worked[3] = {0};

    began_us = now_us();
    for (long n = 0; n < THREADS; n++) {
        pthread_mutex_init(&queues[n].lock, NULL);
        pthread_cond_init(&queues[n].changed, NULL);
        if (pthread_create(&threads[n], NULL, kinds[n % 3], (void *)n))
            printf("no thread %ld\n", n);
    }
    while (!is_over()) {
        for (int n = 2; n < THREADS; n += 3)
            put(&queues[n], now_us());
        nanosleep(&pause, NULL);
    }
    for (int n = 2; n < THREADS; n += 3)
        put(&queues[n], -1);
    for (int n = 0; n < THREADS; n++) {
        pthread_join(threads[n], NULL);
        worked[n % 3] += rounds[n] > 3;
        if (longest_us[n] > longest)
            longest = longest_us[n];
    }
    printf("%d threads for %d ms: %d computed, %d slept, %d got words\n",
           THREADS, RUN_US / 1000, worked[0], worked[1], worked[2]);
    if (longest < LIMIT_US)
        printf("the longest wait for the core was under %d ms\n",
               LIMIT_US / 1000);
    else
        printf("the longest wait for the core was %ld us\n", longest);
    return 0;
}
