// What a guest does not have is told in a line that says what to do.
// run: -n 1 --tag none
// expect-stdout:
// thread: Resource temporarily unavailable
// temporary file: No such file or directory
// expect-stderr: core 0: threads are not supported: a core runs one
// expect-stderr: core 0: there is no /tmp: share a folder
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *thread(void *argument)
{
    return argument;
}

int main(void)
{
    char name[] = "/tmp/rockcreekXXXXXX";
    pthread_t created;

    printf("thread: %s\n", strerror(pthread_create(&created, 0, thread, 0)));
    if (mkstemp(name) < 0)
        printf("temporary file: %s\n", strerror(errno));
    return 0;
}
