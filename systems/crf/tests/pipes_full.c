// A pair of sockets that finds one number left, where it needs two, gives it
// back.
// cc: -O2 -pthread
// run: -n 2 --tag none
// expect-stdout:
// 31 pairs, then refused with 24
// the last number is free: 1, and it was the last: 1
// a pipe: x
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

enum { MOST = 64 };

static int ends[MOST][2];

static void *nothing(void *argument)
{
    return argument;
}

static int pair(int made)
{
    return socketpair(AF_UNIX, SOCK_STREAM, 0, ends[made]);
}

int main(void)
{
    int made = 0, single[2], last;
    pthread_t thread;
    char read_back = '-';

    pthread_create(&thread, NULL, nothing, NULL);
    pthread_join(thread, NULL);
    pipe(single);
    while (made < MOST && pair(made) == 0)
        made++;
    close(single[1]);
    if (pair(made) != 0)
        printf("%d pairs, then refused with %d\n", made, errno);
    last = dup(single[0]);
    printf("the last number is free: %d, and it was the last: %d\n", last >= 0,
           dup(single[0]) < 0);
    close(last);
    close(single[0]);
    if (pipe(single) == 0 && write(single[1], "x", 1) == 1)
        read(single[0], &read_back, 1);
    printf("a pipe: %c\n", read_back);
    return 0;
}
