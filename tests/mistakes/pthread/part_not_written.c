// A field of what a thread is given was never written.
// cc: -O1 -g -pthread
// run: -n 1 --check unwritten
// expect-stderr: unwritten: core 0 took a branch by a value that was never written \(4 times\)
// expect-stderr: hint: write the block that was allocated in part_not_written\.c:29 before part_not_written\.c:17 uses it

#include <pthread.h>
#include <stdlib.h>

struct part {
    int from, to, limit;
};

static void *work(void *given)
{
    struct part *part = given;
    if (part->from < part->limit)
        part->to++;
    free(part);
    return 0;
}

int main(void)
{
    enum { THREADS = 4 };
    pthread_t threads[THREADS];

    for (int i = 0; i < THREADS; i++) {
        struct part *part = malloc(sizeof *part);
        part->from = part->to = i;
#ifdef MENDED
        part->limit = THREADS;
#endif
        pthread_create(&threads[i], 0, work, part);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], 0);
    return 0;
}
