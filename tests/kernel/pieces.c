// Pieces of memory in one call: readv and writev of sockets and pipes, lengths that sum to more
// than 32 bits hold, and MSG_WAITALL for more than what is on its way at most.
// cc: -O1 -pthread=core
// run: -n 1
// expect-stdout:
// message: written 6, read 6 abcd ef, then -1 11
// cut: 4 of 6, then -1 11
// nothing: 0, then -1 11
// pipe: 4 abcd
// stream: 4 abcd
// too much: -1 90, then -1 11
// all of 200000: 200000, wrong 0
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

static char a[5], b[5];
static struct iovec into[2] = {{a, 4}, {b, 4}};
static int ends[2];

static void open_pair(int type)
{
    memset(a, 0, sizeof(a));
    memset(b, 0, sizeof(b));
    if (socketpair(AF_UNIX, type, 0, ends))
        perror("socketpair");
}

static void close_pair(void)
{
    close(ends[0]);
    close(ends[1]);
}

static void empty(void)
{
    char byte;
    long got = recv(ends[1], &byte, 1, MSG_DONTWAIT);

    printf(", then %ld %d\n", got, got < 0 ? errno : 0);
}

static void messages(void)
{
    struct iovec from[] = {{"abc", 3}, {"def", 3}};
    struct iovec none[] = {{"abc", 0}, {"def", 0}};
    long written;

    open_pair(SOCK_SEQPACKET);
    written = writev(ends[0], from, 2);
    printf("message: written %ld, read %ld", written,
           (long)readv(ends[1], into, 2));
    printf(" %s %s", a, b);
    empty();
    writev(ends[0], from, 2);
    printf("cut: %ld of 6", (long)readv(ends[1], into, 1));
    empty();
    printf("nothing: %ld", (long)writev(ends[0], none, 2));
    empty();
    close_pair();
}

/* The first piece is full; nobody writes more. */
static void exactly_one(void)
{
    open_pair(SOCK_STREAM);
    close_pair();
    if (pipe(ends))
        return;
    write(ends[1], "abcd", 4);
    printf("pipe: %ld", (long)readv(ends[0], into, 2));
    printf(" %s\n", a);
    close_pair();
    open_pair(SOCK_STREAM);
    write(ends[0], "abcd", 4);
    printf("stream: %ld", (long)readv(ends[1], into, 2));
    printf(" %s\n", a);
    close_pair();
}

#define PIECE (64u << 20)
#define PIECES 64

static void too_much(void)
{
    static struct iovec pieces[PIECES];
    struct msghdr header = {.msg_iov = pieces, .msg_iovlen = PIECES};
    void *zeros = mmap(NULL, PIECE, PROT_READ,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    long sent;

    for (int n = 0; n < PIECES; n++)
        pieces[n] = (struct iovec){zeros, PIECE};
    open_pair(SOCK_DGRAM);
    sent = sendmsg(ends[0], &header, 0);
    printf("too much: %ld %d", sent, sent < 0 ? errno : 0);
    empty();
    close_pair();
}

#define MUCH 200000

static void *send_much(void *unused)
{
    static unsigned char bytes[MUCH];

    for (int n = 0; n < MUCH; n++)
        bytes[n] = (unsigned char)(n % 251);
    send(ends[0], bytes, MUCH / 2, 0);
    usleep(1000);
    send(ends[0], bytes + MUCH / 2, MUCH - MUCH / 2, 0);
    return unused;
}

static void all(void)
{
    static unsigned char bytes[MUCH];
    struct iovec pieces[] = {{bytes, 70001}, {bytes + 70001, MUCH - 70001}};
    struct msghdr header = {.msg_iov = pieces, .msg_iovlen = 2};
    pthread_t sender;
    int wrong = 0;
    long got;

    open_pair(SOCK_STREAM);
    pthread_create(&sender, NULL, send_much, NULL);
    got = recvmsg(ends[1], &header, MSG_WAITALL);
    pthread_join(sender, NULL);
    for (int n = 0; n < MUCH; n++)
        wrong += bytes[n] != n % 251;
    printf("all of %d: %ld, wrong %d\n", MUCH, got, wrong);
    close_pair();
}

int main(void)
{
    messages();
    exactly_one();
    too_much();
    all();
    return 0;
}
