// The program joins a detached thread.
// cc: -O1 -g -pthread
// run: -n 2
// expect-exit: 0
// expect-stderr: pthread_join failed at main \(join_detached\.c:23\): the thread is detached, or another thread joins it; the program did not look at the error that it returned
// expect-stderr: hint: join a thread or detach it, not both

#include <pthread.h>
#include <stdio.h>

static void *work(void *nothing)
{
    return nothing;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
#ifndef MENDED
    pthread_detach(thread);
#endif
    pthread_join(thread, NULL);
    return 0;
}
