/* storm.c: every core connects to every other and sends it a random number
 * of random bytes in pieces of random sizes; every byte is checked.
 *
 *     storm [BYTES] [SEED]       up to BYTES from each core to each other
 *
 * Nobody waits for anybody: sockets do not block, poll says what is ready.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "client.h"
#include "tcpip.h"

#define PORT 4000
#define MOST 48
#define PIECE 6000

/* A stream of bytes that both ends know. */
struct stream {
    uint32_t state, left;
};

struct peer {
    int fd;
    struct stream out, in;
    char piece[PIECE]; /* the bytes on their way out */
    size_t used, given;
    int told, ended; /* that no more comes: to it, by it */
};

static struct peer peers[MOST];
static uint32_t most = 20000, seed = 1, sizes;

static uint32_t draw(uint32_t *state)
{
    *state = *state * 1664525 + 1013904223;
    return *state >> 16;
}

static struct stream stream(int from, int to)
{
    struct stream new = {seed * 7919 + (uint32_t)from * 131 + (uint32_t)to, 0};

    new.left = ((draw(&new.state) << 16) | draw(&new.state)) % most + 1;
    return new;
}

static struct sockaddr_in address_of(int rank)
{
    return (struct sockaddr_in){
        .sin_family = AF_INET,
        .sin_port = htons(PORT),
        .sin_addr.s_addr = htonl(TCPIP_NETWORK + 1 + (uint32_t)rank),
    };
}

/* To those below by asking, from those above by being asked. */
static void meet(int rank, int ranks)
{
    struct sockaddr_in address = address_of(rank), from;
    int listener = socket(AF_INET, SOCK_STREAM, 0);

    if (bind(listener, (void *)&address, sizeof address) < 0 ||
        listen(listener, MOST) < 0)
        fail("listen");
    for (int other = 0; other < rank; other++)
        peers[other].fd = reach(address_of(other), 0);
    for (int n = rank + 1; n < ranks; n++) {
        socklen_t length = sizeof from;
        int fd = accept(listener, (void *)&from, &length);

        if (fd < 0)
            fail("accept");
        peers[ntohl(from.sin_addr.s_addr) - TCPIP_NETWORK - 1].fd = fd;
    }
    close(listener);
    for (int n = 0; n < ranks; n++) {
        peers[n].out = stream(rank, n);
        peers[n].in = stream(n, rank);
        if (n != rank)
            fcntl(peers[n].fd, F_SETFL, O_NONBLOCK);
    }
}

static void push(struct peer *peer)
{
    ssize_t sent;

    if (peer->given == peer->used) {
        peer->given = peer->used = 0;
        for (size_t size = draw(&sizes) % PIECE + 1;
             peer->used < size && peer->out.left > 0; peer->out.left--)
            peer->piece[peer->used++] = (char)draw(&peer->out.state);
    }
    sent =
        send(peer->fd, peer->piece + peer->given, peer->used - peer->given, 0);
    if (sent < 0 && errno != EAGAIN)
        fail("send");
    peer->given += sent > 0 ? (size_t)sent : 0;
    if (peer->given == peer->used && peer->out.left == 0) {
        shutdown(peer->fd, SHUT_WR);
        peer->told = 1;
    }
}

/* 0: that was all. */
static int pull(struct peer *peer, int from)
{
    char bytes[PIECE];
    ssize_t got = recv(peer->fd, bytes, draw(&sizes) % PIECE + 1, 0);

    if (got < 0 && errno == EAGAIN)
        return 1;
    if (got < 0)
        fail("recv");
    if (got == 0 && peer->in.left > 0) {
        fprintf(stderr, "%u bytes from rank %d are missing\n", peer->in.left,
                from);
        exit(1);
    }
    for (ssize_t n = 0; n < got; n++)
        if (peer->in.left-- == 0 || bytes[n] != (char)draw(&peer->in.state)) {
            fprintf(stderr, "a byte from rank %d is wrong\n", from);
            exit(1);
        }
    return got != 0;
}

static void storm(int ranks)
{
    struct pollfd fds[MOST];

    for (;;) {
        int open_ones = 0;

        for (int n = 0; n < ranks; n++) {
            struct peer *peer = &peers[n];

            fds[n] = (struct pollfd){
                .fd = peer->fd > 0 ? peer->fd : -1,
                .events = (short)((peer->ended ? 0 : POLLIN) |
                                  (peer->told ? 0 : POLLOUT)),
            };
            open_ones += peer->fd > 0;
        }
        if (open_ones == 0)
            return;
        if (poll(fds, (nfds_t)ranks, -1) < 0)
            fail("poll");
        for (int n = 0; n < ranks; n++) {
            if (fds[n].revents & POLLOUT && !peers[n].told)
                push(&peers[n]);
            if (fds[n].revents & POLLIN && !pull(&peers[n], n))
                peers[n].ended = 1;
            if (peers[n].told && peers[n].ended && peers[n].fd > 0) {
                close(peers[n].fd);
                peers[n].fd = -1;
            }
        }
    }
}

int main(int count, char **words)
{
    int rank = tcpip_rank(), ranks = tcpip_ranks();
    unsigned long bytes = 0;

    if (count > 1)
        most = (uint32_t)strtoul(words[1], NULL, 10);
    if (count > 2)
        seed = (uint32_t)strtoul(words[2], NULL, 10);
    sizes = seed + (uint32_t)rank;
    meet(rank, ranks);
    for (int n = 0; n < ranks; n++)
        bytes += n != rank ? peers[n].in.left : 0;
    storm(ranks);
    if (rank == 0)
        printf("%lu bytes from %d cores: all right\n", bytes, ranks - 1);
    return 0;
}
