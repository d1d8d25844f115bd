// A file in /tmp is in the memory of the core that made it: a thread of another core hears why it cannot read it.
// cc: -O2 -pthread
// run: -n 2 --tag none
// expect-stdout:
// main 5 hello
// thread -1
// expect-stderr: thread on core 1: /tmp/x is not to be found here(.|\n)*hint: rck run --share DIR
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static int fd;

static void *reads(void *argument)
{
    char text[6] = "";

    printf("thread %ld\n", (long)pread(fd, text, 5, 0));
    return argument;
}

int main(void)
{
    char text[6] = "";
    pthread_t thread;

    fd = open("/tmp/x", O_CREAT | O_RDWR, 0600);
    write(fd, "hello", 5);
    printf("main %ld", (long)pread(fd, text, 5, 0));
    printf(" %s\n", text);
    pthread_create(&thread, NULL, reads, NULL);
    pthread_join(thread, NULL);
    return 0;
}
