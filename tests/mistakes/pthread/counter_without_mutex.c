// Threads add to one variable without a mutex.
// cc: -O0 -g -pthread
// run: -n 2 --check races
// expect-exit: 0
// expect-stderr: race: core 1 read in `counter`, and core 0 wrote
// expect-stderr: in work \(counter_without_mutex\.c:20\)
// expect-stderr: hint: let one core wait for the other between counter_without_mutex\.c:20 and counter_without_mutex\.c:20: by a flag, a lock or a barrier

#include <pthread.h>
#include <stdio.h>
static int counter;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *nothing)
{
    for (int n = 0; n < 100; n++) {
#ifdef MENDED
        pthread_mutex_lock(&mutex);
#endif
        counter++;
#ifdef MENDED
        pthread_mutex_unlock(&mutex);
#endif
    }
    return nothing;
}

int main(void)
{
    pthread_t thread[2];
    (void)mutex;
    for (int n = 0; n < 2; n++)
        pthread_create(&thread[n], NULL, work, NULL);
    for (int n = 0; n < 2; n++)
        pthread_join(thread[n], NULL);
    printf("counter %d\n", counter);
    return 0;
}
