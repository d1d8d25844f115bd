// main returns while another thread still runs.
// cc: -O1 -g -pthread
// run: -n 2
// expect-exit: 0
// expect-stderr: main returned while a thread still ran: work \(no_join\.c:13\); it is cut off
// expect-stderr: hint: join it \(pthread_join\), or end main by pthread_exit

#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static void *work(void *nothing)
{
    usleep(2000);
    printf("worked\n");
    return nothing;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
#ifdef MENDED
    pthread_join(thread, NULL);
#endif
    return 0;
}
