/* crowd.c: a core that has not read what many sent to it, and sends to them
 * while they do not listen: once they do, all of it comes. Whatever waits in
 * the stack, there must be memory left to hear that something has come.
 *
 * Each client fills its connection and sleeps. Rank 0 sends until none takes
 * any more: two pieces with MSG_MORE, which have a whole segment, and single
 * ones, which fill the gaps. */
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "../programs/client.h"
#include "tcpip.h"

#define PIECE 32
#define CLIENTS 47

static int clients[CLIENTS];
static unsigned long sent[CLIENTS];
static const char piece[PIECE];
static char much[32000]; /* less than a connection holds */

static void wait_for_clients(struct sockaddr_in own)
{
    int listener = socket(AF_INET, SOCK_STREAM, 0), on = 1;

    if (bind(listener, (void *)&own, sizeof own) < 0 ||
        listen(listener, CLIENTS) < 0)
        fail("listen");
    for (int n = 0; n < tcpip_ranks() - 1; n++) {
        clients[n] = accept(listener, NULL, NULL);
        if (clients[n] < 0)
            fail("accept");
        setsockopt(clients[n], IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    }
}

/* Whether it was taken. */
static int send_one(int n, int flags)
{
    ssize_t now = send(clients[n], piece, PIECE, flags | MSG_DONTWAIT);

    if (now < 0 && errno != EAGAIN)
        fail("send");
    if (now > 0)
        sent[n] += (unsigned long)now;
    return now > 0;
}

static void send_to_all(void)
{
    int some;

    do {
        some = 0;
        for (int n = 0; n < tcpip_ranks() - 1; n++) {
            if (send_one(n, MSG_MORE))
                some |= send_one(n, 0);
            some |= send_one(n, 0);
        }
    } while (some);
    for (int n = 0; n < tcpip_ranks() - 1; n++)
        shutdown(clients[n], SHUT_WR);
}

/* What a client had sent first, and then how much it has read. */
static void hear_all(void)
{
    int right = 0;

    for (int n = 0; n < tcpip_ranks() - 1; n++) {
        unsigned long had = 0;

        if (recv(clients[n], much, sizeof much, MSG_WAITALL) != sizeof much ||
            recv(clients[n], &had, sizeof had, MSG_WAITALL) != sizeof had)
            fail("recv");
        right += had == sent[n];
    }
    printf("%d of %d clients have read all\n", right, tcpip_ranks() - 1);
}

static void read_late(struct sockaddr_in server)
{
    int fd = reach(server, 0);
    unsigned long had = 0;
    char some[1000];
    ssize_t now;

    if (send(fd, much, sizeof much, 0) != sizeof much)
        fail("send");
    tcpip_drain();
    nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
    while ((now = recv(fd, some, sizeof some, 0)) > 0)
        had += (unsigned long)now;
    if (now < 0)
        fail("recv");
    send(fd, &had, sizeof had, 0);
}

int main(void)
{
    struct sockaddr_in server = {
        .sin_family = AF_INET,
        .sin_port = htons(78),
        .sin_addr.s_addr = htonl(TCPIP_NETWORK + 1),
    };

    if (tcpip_rank() == 0) {
        wait_for_clients(server);
        nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
        send_to_all();
        hear_all();
    } else {
        read_late(server);
    }
    return 0;
}
