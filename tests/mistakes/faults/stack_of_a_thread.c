// A thread's function calls itself without an end.
// cc: -O0 -g -pthread
// run: -n 2
// expect-exit: 76
// expect-stderr: core 01 \(tile 0,0\): stack overflow: the stack of this thread is full, [45]\d\d calls deep
// expect-stderr: deep \(stack_of_a_thread\.c:\d+\), [45]\d\d times more
// expect-stderr: hint: end the recursion, .*; pthread_attr_setstacksize gives a thread a larger stack

#include <pthread.h>

static int deep(int n)
{
    volatile char pad[4096];
    pad[0] = (char)n;
    return n == 0 ? 0 : deep(n - 1) + pad[0] * 0;
}

static void *work(void *depth)
{
    deep(*(int *)depth);
    return 0;
}

int main(void)
{
#ifdef MENDED
    int depth = 10;
#else
    int depth = -1;
#endif
    pthread_t thread;
    pthread_create(&thread, 0, work, &depth);
    return pthread_join(thread, 0);
}
