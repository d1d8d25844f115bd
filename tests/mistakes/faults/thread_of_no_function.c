// pthread_create is given what a function returns, not the function.
// cc: -O1 -g -pthread
// run: -n 2
// expect-exit: 76
// expect-stderr: core 01 \(tile 0,0\): segmentation fault: a thread was to begin at 0x00000000, where no code is
// expect-stderr: hint: give pthread_create a function: `work`, not what `work\(\)` returns

#include <pthread.h>

static void *work(void *x)
{
    return x;
}

int main(void)
{
    pthread_t thread;
#ifdef MENDED
    pthread_create(&thread, 0, work, 0);
#else
    pthread_create(&thread, 0, work(0), 0);
#endif
    return pthread_join(thread, 0);
}
