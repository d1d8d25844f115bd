/*
 * carry.c: streams between cores as messages over TCP/IP.
 *
 * A message is which stream and how many bytes, then the bytes. Who sends
 * waits until TCP has all of it, as blocking MPI does, but takes in meanwhile
 * what comes: else two that send to each other would wait for ever. Whoever
 * sends asks nobody: the receiver's streams grow.
 */
#include "lpel_private.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>

#include "lpel_peers.h"

#define END 0xFFFFFFFFu
#define LOOK_MS 1 /* a core that failed is seen at least as often */

struct head {
    uint32_t stream, bytes;
};

static struct peer {
    int fd; /* 0: no stream to or from there */
    int ended;
    struct head head;
    uint32_t have; /* bytes of the head and the message */
    char *message;
} peers[RCCE_MAXNP];
static int expected; /* streams from other cores that have not ended */

void lpel_expect(void)
{
    expected++;
}

int lpel_expected(void)
{
    return expected;
}

void lpel_carry_start(const char *with)
{
    int fds[RCCE_MAXNP] = {0};

    lpel_peers->meet(with, fds);
    for (int rank = 0; rank < lpel_all_ranks; rank++)
        peers[rank] = (struct peer){.fd = fds[rank]};
}

static void failed(const char *what, int rank)
{
    lpel_fail("the other core tells why; tcpip's guide has the errors",
              "%s core %d: %s", what, lpel_core_of[rank], strerror(errno));
}

/* Bytes that have come of so many; 0: no more now. */
static uint32_t receive(int rank, void *to, uint32_t bytes)
{
    struct peer *peer = &peers[rank];
    ssize_t got = recv(peer->fd, to, bytes, MSG_DONTWAIT);

    if (got < 0 && errno != EAGAIN)
        failed("messages from", rank);
    peer->ended = got == 0;
    return got > 0 ? (uint32_t)got : 0;
}

static void arrived(struct peer *peer)
{
    struct lpel_stream *stream = lpel_stream_numbered(peer->head.stream);

    expected -= peer->head.bytes == END;
    lpel_deliver(stream, peer->head.bytes == END ? NULL : peer->message);
    peer->have = 0;
    peer->message = NULL;
}

/* The rest of a message, as far as it has come; 1: it is here. */
static int take(int rank)
{
    struct peer *peer = &peers[rank];
    uint32_t head = sizeof peer->head, at;

    if (peer->have < head)
        peer->have +=
            receive(rank, (char *)&peer->head + peer->have, head - peer->have);
    if (peer->have < head)
        return 0;
    if (peer->head.bytes != END) {
        if (!peer->message)
            peer->message = lpel_malloc(peer->head.bytes);
        at = peer->have - head;
        peer->have += receive(rank, peer->message + at, peer->head.bytes - at);
        if (peer->have - head < peer->head.bytes)
            return 0;
    }
    arrived(peer);
    return 1;
}

/* What has come, after a wait of at most so many ms; 1: a message did.
 * `room`: the rank that is to have room for more, or -1. */
static int carry_on(int ms, int room)
{
    struct pollfd files[RCCE_MAXNP];
    int any = 0;

    for (int rank = 0; rank < lpel_all_ranks; rank++) {
        int used = peers[rank].fd && !peers[rank].ended;

        files[rank].fd = used || rank == room ? peers[rank].fd : -1;
        files[rank].events =
            (short)((used ? POLLIN : 0) | (rank == room ? POLLOUT : 0));
    }
    if (poll(files, (nfds_t)lpel_all_ranks, ms) > 0)
        for (int rank = 0; rank < lpel_all_ranks; rank++)
            while (files[rank].revents & ~POLLOUT && take(rank))
                any = 1;
    lpel_check_failed();
    return any;
}

int lpel_carry_on(int idle)
{
    return carry_on(idle ? LOOK_MS : 0, -1);
}

static void send_all(int rank, const void *data, size_t bytes, int flags)
{
    const char *from = data;

    while (bytes) {
        ssize_t sent = send(peers[rank].fd, from, bytes,
                            flags | MSG_DONTWAIT | MSG_NOSIGNAL);

        if (sent > 0) {
            from += sent;
            bytes -= (size_t)sent;
        } else if (errno == EAGAIN) {
            carry_on(LOOK_MS, rank);
        } else {
            failed("messages to", rank);
        }
    }
}

/* NULL: the stream's end. */
void lpel_carry(struct lpel_stream *stream, void *message)
{
    int rank = stream->reader->home;
    struct head head = {.stream = stream->number, .bytes = END};

    if (message)
        head.bytes = (uint32_t)lpel_size(message);
    if (!head.bytes)
        lpel_fail("send a byte at least", "an empty message for stream '%s'",
                  stream->name);
    send_all(rank, &head, sizeof head, message ? MSG_MORE : 0);
    if (message)
        send_all(rank, message, head.bytes, 0);
    lpel_free(message);
}

/* No more data will come: each peer is notified, and notifies this core. */
void lpel_carry_end(void)
{
    int left = 0;

    for (int rank = 0; rank < lpel_all_ranks; rank++)
        if (peers[rank].fd) {
            shutdown(peers[rank].fd, SHUT_WR);
            left++;
        }
    while (left) {
        carry_on(LOOK_MS, -1);
        left = 0;
        for (int rank = 0; rank < lpel_all_ranks; rank++)
            left += peers[rank].fd && !peers[rank].ended;
    }
    lpel_peers->part();
}
