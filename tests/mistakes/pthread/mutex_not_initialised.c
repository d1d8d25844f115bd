// The program locks a mutex on the heap without pthread_mutex_init.
// cc: -O1 -g -pthread
// run: -n 1
// expect-exit: 0
// expect-stderr: core 00: pthread_mutex_lock at main \(mutex_not_initialised\.c:21\): the lock was never initialised
// expect-stderr: hint: call pthread_mutex_init, or assign PTHREAD_MUTEX_INITIALIZER

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    unsigned char *bytes = malloc(sizeof(pthread_mutex_t));
    memset(bytes, 0xa5, sizeof(pthread_mutex_t));
    pthread_mutex_t *mutex = (pthread_mutex_t *)bytes;
#ifdef MENDED
    pthread_mutex_init(mutex, NULL);
#endif
    pthread_mutex_lock(mutex);
    pthread_mutex_unlock(mutex);
    printf("done\n");
    return 0;
}
