// A pipe whose reading end is closed: for good, and while a thread still reads it, which keeps it open;
// likewise a socket.
// cc: -O1 -pthread=core
// run: -n 1 --tag none
// expect-stdout:
// without a reader: nothing written is 0, an error 1, writable for select 1
// closed while a thread reads it: written 3, read 3
// closed while a thread receives: sent 3, received 3
// closed while a thread waits for a message: sent 3, received 3
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

static void without_reader(void)
{
    struct timeval left = {0, 0};
    struct pollfd end;
    fd_set writable;
    int both[2];

    if (pipe(both))
        return;
    close(both[0]);
    end = (struct pollfd){.fd = both[1]};
    poll(&end, 1, 0);
    FD_ZERO(&writable);
    FD_SET(both[1], &writable);
    printf("without a reader: nothing written is %ld, an error %d, ",
           (long)write(both[1], "", 0), end.revents == POLLERR);
    printf("writable for select %d\n",
           select(both[1] + 1, NULL, &writable, NULL, &left));
    close(both[1]);
}

static void *read_three(void *end)
{
    char bytes[3];

    return (void *)(long)read(*(int *)end, bytes, sizeof(bytes));
}

/* The reader's call keeps the end open. */
static void closed_while_read(void)
{
    void *result;
    pthread_t reader;
    int both[2];
    long written;

    if (pipe(both))
        return;
    pthread_create(&reader, NULL, read_three, &both[0]);
    usleep(1000);
    close(both[0]);
    written = write(both[1], "abc", 3);
    pthread_join(reader, &result);
    printf("closed while a thread reads it: written %ld, read %ld\n", written,
           (long)result);
    close(both[1]);
}

static void *receive_three(void *end)
{
    char bytes[3];

    return (void *)(long)recv(*(int *)end, bytes, sizeof(bytes), 0);
}

static void *receive_message(void *end)
{
    char bytes[3];
    struct iovec piece = {bytes, sizeof(bytes)};
    struct msghdr header = {.msg_iov = &piece, .msg_iovlen = 1};

    return (void *)(long)recvmsg(*(int *)end, &header, 0);
}

/* Another file takes the descriptor and, were it free, the place of the end. */
static void closed_while_received(const char *what, void *(*receive)(void *))
{
    void *result;
    pthread_t receiver;
    int both[2], other[2];
    long sent;

    if (socketpair(AF_UNIX, SOCK_STREAM, 0, both))
        return;
    pthread_create(&receiver, NULL, receive, &both[0]);
    usleep(1000);
    close(both[0]);
    if (pipe(other))
        return;
    sent = send(both[1], "abc", 3, 0);
    pthread_join(receiver, &result);
    printf("closed while a thread %s: sent %ld, received %ld\n", what, sent,
           (long)result);
    close(both[1]);
    close(other[0]);
    close(other[1]);
}

int main(void)
{
    signal(SIGPIPE, SIG_IGN);
    without_reader();
    closed_while_read();
    closed_while_received("receives", receive_three);
    closed_while_received("waits for a message", receive_message);
    return 0;
}
