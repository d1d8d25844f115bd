// A thread waits in a loop for a plain variable, which the compiler reads once.
// cc: -O1 -g -pthread
// run: -n 2 --timeout 6
// expect-exit: 75
// expect-stderr: called from main \(spin_on_a_variable\.c:\d+\)|in main \(spin_on_a_variable\.c:\d+\)
// expect-stderr: hint: look for a loop without an end .*a variable by which a thread waits for another one must be atomic

#include <pthread.h>

#ifdef MENDED
static _Atomic int done;
#else
static int done;
#endif

static void *work(void *x)
{
    done = 1;
    return x;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    while (!done)
        for (volatile int n = 0; n < 100; n++)
            ;
    return pthread_join(thread, 0);
}
