// The first atomic operation on initialised data, by all cores at once: none
// puts back what the loader made of it.
// cc: -O2 -pthread
// run: -n 4 --tag none
// also: --kernel l4
// expect-stdout:
// 16 pages, 0 wrong
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#define PAGES 16
#define WORDS 1024 /* of a page */
#define THREADS 4

static _Atomic int words[PAGES * WORDS] = {[0 ... PAGES * WORDS - 1] = 7};
static pthread_barrier_t together;

static void *add(void *unused)
{
    for (int n = 0; n < PAGES; n++) {
        pthread_barrier_wait(&together);
        atomic_fetch_add(&words[n * WORDS + WORDS / 2], 1);
    }
    return unused;
}

int main(void)
{
    pthread_t threads[THREADS];
    int wrong = 0;

    pthread_barrier_init(&together, NULL, THREADS);
    for (int n = 0; n < THREADS; n++)
        pthread_create(&threads[n], NULL, add, NULL);
    for (int n = 0; n < THREADS; n++)
        pthread_join(threads[n], NULL);
    for (int n = 0; n < PAGES * WORDS; n++)
        wrong += words[n] != (n % WORDS == WORDS / 2 ? 7 + THREADS : 7);
    printf("%d pages, %d wrong\n", PAGES, wrong);
    return 0;
}
