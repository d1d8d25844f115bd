// The program joins a thread twice.
// cc: -O1 -g -pthread
// run: -n 2
// expect-exit: 0
// expect-stderr: pthread_join failed at main \(join_twice\.c:22\): there is no such thread: it was joined before, or never made; the program did not look at the error that it returned
// expect-stderr: hint: join each thread once

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
    pthread_join(thread, NULL);
#ifndef MENDED
    pthread_join(thread, NULL);
#endif
    return 0;
}
