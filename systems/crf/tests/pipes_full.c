// A pair of sockets that finds no number left takes nothing with it: 4,000
// times 128 KB would be more than there is.
// cc: -O2 -pthread
// run: -n 2 --tag none
// expect-stdout:
// 31 pairs, 1 number left, refused with 24
// 4000 refusals, then a pipe: x
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

enum { MOST = 64, REFUSALS = 4000 };

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
    int made = 0, refused = 0, left = 0, single[2], other;
    pthread_t thread;
    char read_back = '-';

    pthread_create(&thread, NULL, nothing, NULL);
    pthread_join(thread, NULL);
    pipe(single);
    while (made < MOST && pair(made) == 0)
        made++;
    /* The numbers are even: one alone is left when another has gone. */
    close(single[1]);
    close(single[0]);
    other = dup(ends[0][0]);
    if (other >= 0)
        left = 1;
    if (pair(made) != 0)
        printf("%d pairs, %d number left, refused with %d\n", made, left,
               errno);
    while (refused < REFUSALS && pair(made) != 0 && errno == EMFILE)
        refused++;
    for (int n = 0; n < made; n++) {
        close(ends[n][0]);
        close(ends[n][1]);
    }
    if (pipe(single) == 0 && write(single[1], "x", 1) == 1 &&
        read(single[0], &read_back, 1) != 1)
        read_back = '?';
    printf("%d refusals, then a pipe: %c\n", refused, read_back);
    return 0;
}
