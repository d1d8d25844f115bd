// A semaphore begins with -1, which sem_init refuses.
// cc: -O1 -g -pthread
// run: -n 1
// expect-stderr: sem_init failed at main \(semaphore_below_zero\.c:20\): the first value is negative or too large
// expect-stderr: hint: a semaphore begins with how many may pass

#include <semaphore.h>
#include <stdio.h>

#ifdef MENDED
enum { FIRST = 1 };
#else
enum { FIRST = -1 };
#endif

int main(void)
{
    sem_t semaphore;
    int value = 0;
    sem_init(&semaphore, 0, FIRST);
    sem_getvalue(&semaphore, &value);
    printf("%d\n", value);
    return 0;
}
