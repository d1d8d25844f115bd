// Each thread gets the address of the loop variable of main.
// cc: -O0 -g -pthread
// run: -n 2 --check races
// expect-exit: 0
// expect-stderr: race: thread 2 of core 0 read in the stack of thread 0
// expect-stderr: core 00 in work \(argument_of_the_loop\.c:14\)
// expect-stderr: core 00 in main \(argument_of_the_loop\.c:26\)
// expect-stderr: hint: let one core wait for the other between argument_of_the_loop\.c:14 and argument_of_the_loop\.c:26: by a flag, a lock or a barrier

#include <pthread.h>
#include <stdio.h>
static void *work(void *number)
{
    printf("thread %d\n", *(int *)number);
    return NULL;
}

int main(void)
{
    pthread_t thread[2];
#ifdef MENDED
    int numbers[2] = {0, 1};
    for (int n = 0; n < 2; n++)
        pthread_create(&thread[n], NULL, work, &numbers[n]);
#else
    for (int n = 0; n < 2; n++)
        pthread_create(&thread[n], NULL, work, &n);
#endif
    for (int n = 0; n < 2; n++)
        pthread_join(thread[n], NULL);
    return 0;
}
