// A pair of sockets connects two parts of the program: streams, datagrams and
// packets, poll and select on them, and what ends them.
// cc: -pthread=core
// run: -n 1
// also-slow: --kernel l4
// expect-stdout:
// stream 11 hello there, ends 0
// datagrams 5 first 0 6 second
// packet cut to 4 of 12, flags 20
// peek 3 3, left 0
// poll idle 0, ready 1 1, end 11
// select 1
// not blocking -1 11
// full 65536 then -1 11
// broken -1 32, signals 1
// refused 95 97 88 9
// waited 100000 bytes, 4950000 in all
// gathered 6 abcdef
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

static int pair[2];

static void open_pair(int type)
{
    if (socketpair(AF_UNIX, type, 0, pair))
        perror("socketpair");
}

static void close_pair(void)
{
    close(pair[0]);
    close(pair[1]);
}

static void streams(void)
{
    char text[32] = "";
    long length;

    open_pair(SOCK_STREAM);
    write(pair[0], "hello ", 6);
    send(pair[0], "there", 5, 0);
    length = read(pair[1], text, sizeof text);
    shutdown(pair[0], SHUT_WR);
    printf("stream %ld %s, ends %ld\n", length, text,
           (long)read(pair[1], text, sizeof text));
    close_pair();
}

static void datagrams(void)
{
    char a[32] = "", b[32] = "";
    long first, empty, second;

    open_pair(SOCK_DGRAM);
    write(pair[1], "first", 5);
    send(pair[1], "", 0, 0);
    write(pair[1], "second", 6);
    first = recv(pair[0], a, sizeof a, 0);
    empty = recv(pair[0], b, sizeof b, 0);
    second = recv(pair[0], b, sizeof b, 0);
    printf("datagrams %ld %s %ld %ld %s\n", first, a, empty, second, b);
    close_pair();
}

static void packets(void)
{
    char text[4];
    struct iovec piece = {text, sizeof text};
    struct msghdr header = {.msg_iov = &piece, .msg_iovlen = 1};
    long got;

    open_pair(SOCK_SEQPACKET);
    write(pair[0], "twelve bytes", 12);
    got = recvmsg(pair[1], &header, 0);
    printf("packet cut to %ld of 12, flags %x\n", got,
           (unsigned)header.msg_flags);
    close_pair();
}

static void peek(void)
{
    char text[8];
    long first, second;
    int left;

    open_pair(SOCK_STREAM);
    write(pair[0], "abc", 3);
    first = recv(pair[1], text, 8, MSG_PEEK);
    second = recv(pair[1], text, 8, 0);
    ioctl(pair[1], FIONREAD, &left);
    printf("peek %ld %ld, left %d\n", first, second, left);
    close_pair();
}

static void readiness(void)
{
    struct pollfd poll_for = {.fd = -1, .events = POLLIN};
    struct timeval now = {0, 0};
    fd_set set;
    int idle, ready;

    open_pair(SOCK_STREAM);
    poll_for.fd = pair[1];
    idle = poll(&poll_for, 1, 2);
    write(pair[0], "x", 1);
    ready = poll(&poll_for, 1, -1);
    printf("poll idle %d, ready %d %x", idle, ready, poll_for.revents);
    FD_ZERO(&set);
    FD_SET(pair[1], &set);
    ready = select(pair[1] + 1, &set, NULL, NULL, &now);
    close(pair[0]);
    poll(&poll_for, 1, -1);
    printf(", end %x\nselect %d\n", poll_for.revents, ready);
    close(pair[1]);
}

static void not_blocking(void)
{
    static char much[70000];
    char byte;
    long sent;

    open_pair(SOCK_STREAM | SOCK_NONBLOCK);
    sent = read(pair[0], &byte, 1);
    printf("not blocking %ld %d\n", sent, errno);
    sent = write(pair[0], much, sizeof much);
    printf("full %ld", sent);
    sent = write(pair[0], "x", 1);
    printf(" then %ld %d\n", sent, errno);
    close_pair();
}

static volatile int broken;

static void on_pipe(int number)
{
    (void)number;
    broken++;
}

static void ends(void)
{
    long result;

    signal(SIGPIPE, on_pipe);
    open_pair(SOCK_STREAM);
    close(pair[1]);
    result = write(pair[0], "x", 1);
    printf("broken %ld %d", result, errno);
    send(pair[0], "x", 1, MSG_NOSIGNAL);
    printf(", signals %d\n", broken);
    close(pair[0]);
}

static void refused(void)
{
    int a, b, c, ends[2];
    char control[64] = {0};
    struct msghdr header = {.msg_control = control, .msg_controllen = 64};

    open_pair(SOCK_STREAM);
    a = sendmsg(pair[0], &header, 0) ? errno : 0;
    close_pair();
    b = socketpair(AF_INET, SOCK_STREAM, 0, ends) ? errno : 0;
    pipe(ends);
    c = send(ends[1], "x", 1, 0) < 0 ? errno : 0;
    close(ends[0]);
    close(ends[1]);
    printf("refused %d %d %d %d\n", a, b, c,
           send(ends[1], "x", 1, 0) < 0 ? errno : 0);
}

#define MUCH 100000

static void *writer(void *unused)
{
    static unsigned char bytes[MUCH];

    for (int n = 0; n < MUCH; n++)
        bytes[n] = (unsigned char)(n % 100);
    write(pair[0], bytes, MUCH);
    close(pair[0]);
    return unused;
}

static void waits(void)
{
    pthread_t thread;
    unsigned char bytes[1000];
    long got, all = 0, sum = 0;

    open_pair(SOCK_STREAM);
    pthread_create(&thread, NULL, writer, NULL);
    while ((got = read(pair[1], bytes, sizeof bytes)) > 0) {
        for (long n = 0; n < got; n++)
            sum += bytes[n];
        all += got;
    }
    printf("waited %ld bytes, %ld in all\n", all, sum);
    pthread_join(thread, NULL);
    close(pair[1]);
}

static void gathered(void)
{
    char text[16] = "";
    struct iovec pieces[] = {{"abc", 3}, {"def", 3}};
    struct msghdr header = {.msg_iov = pieces, .msg_iovlen = 2};

    open_pair(SOCK_DGRAM);
    sendmsg(pair[0], &header, 0);
    printf("gathered %ld", (long)recv(pair[1], text, sizeof text, 0));
    printf(" %s\n", text);
    close_pair();
}

int main(void)
{
    streams();
    datagrams();
    packets();
    peek();
    readiness();
    not_blocking();
    ends();
    refused();
    waits();
    gathered();
    return 0;
}
