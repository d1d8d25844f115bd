// A thread is detached after it was joined.
// cc: -O1 -g -pthread
// run: -n 2
// expect-exit: 0
// expect-stderr: pthread_detach failed at main \(detach_joined\.c:21\): there is no such thread: it was joined before, or never made
// expect-stderr: hint: join a thread or detach it, not both

#include <pthread.h>

static void *work(void *nothing)
{
    return nothing;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
#ifndef MENDED
    pthread_detach(thread);
#endif
    return 0;
}
