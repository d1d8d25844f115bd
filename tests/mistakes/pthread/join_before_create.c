// A thread is joined before it is created.
// cc: -O1 -g -pthread
// run: -n 2
// expect-stderr: pthread_join failed at main \(join_before_create\.c:22\): a thread cannot join itself
// expect-stderr: hint: .*a variable that pthread_create has not set is the main thread

#include <pthread.h>

static pthread_t thread;

static void *work(void *x)
{
    return x;
}

int main(void)
{
#ifdef MENDED
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
#else
    pthread_join(thread, 0);
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
#endif
    return 0;
}
