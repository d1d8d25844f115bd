// A thread reads a variable of the function that began it, which has returned.
// cc: -O0 -g -pthread
// run: -n 2 --check races
// expect-exit: 0
// expect-stderr: race: core 1 read in the stack of thread 0
// expect-stderr: core 01 in work \(variable_of_who_began_it\.c:17\)
// expect-stderr: hint: let one core wait for the other between variable_of_who_began_it\.c:17 and [^;]*; or give the thread static or allocated memory, since a variable ends with its function

#include <pthread.h>
#include <unistd.h>

static pthread_t thread;

static void *work(void *given)
{
    usleep(1000);
    return *(int *)given == 1 ? given : NULL;
}

static void begin(void)
{
#ifdef MENDED
    static int job;
#else
    int job;
#endif
    job = 1;
    pthread_create(&thread, NULL, work, &job);
}

static int other(void)
{
    volatile int all[64];
    for (int i = 0; i < 64; i++)
        all[i] = i;
    return all[0];
}

int main(void)
{
    begin();
    other();
    pthread_join(thread, NULL);
    return 0;
}
