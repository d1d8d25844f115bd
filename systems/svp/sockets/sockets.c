/*
 * sockets.c: messages between cores over TCP/IP: a connection for each pair.
 *
 * A message is its header and its payload. Of a STREAM the payload stays in
 * the socket until its reader takes it, so TCP holds the sender back. Nagle's
 * algorithm is off: each send goes at once, as the published ones did.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "sockets/addresses.h"
#include "svp_private.h"

#define PORT 5750

static struct peer {
    int fd;
    uint32_t have;       /* bytes of the header that are here */
    uint32_t got;        /* and of the payload */
    bool told;           /* the stream's reader is: it has not taken all yet */
    bool sends;          /* a context is within a message to it */
    struct message head; /* of what is coming */
    struct waiting room, turn;
    char payload[PAYLOAD];
} peers[CORES];
static int listener;

static void check(int result, const char *what)
{
    if (result < 0 && svp_told())
        exit(1);
    if (result < 0)
        svp_fail("it needs TCP/IP between the cores of this program",
                 "SVP's sockets: %s: %s", what, strerror(errno));
}

static struct sockaddr_in address_of(int rank)
{
    return (struct sockaddr_in){
        .sin_family = AF_INET,
        .sin_port = htons(PORT),
        .sin_addr.s_addr = htonl(svp_address(rank)),
    };
}

static void open_sockets(void)
{
    struct sockaddr_in own = address_of(svp_me);

    listener = socket(AF_INET, SOCK_STREAM, 0);
    check(listener, "socket");
    check(bind(listener, (void *)&own, sizeof own), "bind");
    check(listen(listener, CORES), "listen");
}

static void use(int rank, int fd)
{
    int on = 1;

    check(setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on),
          "TCP_NODELAY");
    peers[rank].fd = fd;
}

static int rank_at(const struct sockaddr_in *address)
{
    for (int rank = 0; rank < svp_ranks; rank++)
        if (svp_address(rank) == ntohl(address->sin_addr.s_addr))
            return rank;
    svp_fail("only the cores of one program know this port",
             "SVP's sockets: address %08x is no core of this program",
             (unsigned)ntohl(address->sin_addr.s_addr));
}

/* To those below by asking, from those above by being asked. */
static void join(void)
{
    struct sockaddr_in from;

    peers[svp_me].fd = -1;
    for (int rank = 0; rank < svp_me; rank++) {
        int fd = socket(AF_INET, SOCK_STREAM, 0);

        from = address_of(rank);
        check(fd, "socket");
        check(connect(fd, (void *)&from, sizeof from), "connect");
        use(rank, fd);
    }
    for (int rank = svp_me + 1; rank < svp_ranks; rank++) {
        socklen_t length = sizeof from;
        int fd = accept(listener, (void *)&from, &length);

        check(fd, "accept");
        use(rank_at(&from), fd);
    }
    close(listener);
}

/* Only when the program ends does a core close; else it has failed. Who has
 * no words for that, it left or was given up, is reported by others. */
static void gone(struct peer *peer, const char *why)
{
    if (!svp_stopped && svp_told())
        exit(1);
    if (!svp_stopped)
        svp_fail("only svp_end in main ends a program; a thread that computes "
                 "for a minute must svp_yield, or TCP gives its core up",
                 "core %d is gone: %s", svp_core[peer - peers], why);
    close(peer->fd);
    peer->fd = -1;
}

/* How much has come of so many bytes; 0: nothing now. */
static uint32_t receive(struct peer *peer, void *to, uint32_t bytes)
{
    ssize_t got = recv(peer->fd, to, bytes, MSG_DONTWAIT);

    if (got == 0 || (got < 0 && errno != EAGAIN)) {
        gone(peer, got ? strerror(errno) : "it has closed its connections");
        return 0;
    }
    return got < 0 ? 0 : (uint32_t)got;
}

static bool receive_head(struct peer *peer)
{
    if (peer->have < LINE)
        peer->have +=
            receive(peer, (char *)&peer->head + peer->have, LINE - peer->have);
    return peer->have == LINE;
}

static void next_message(struct peer *peer)
{
    peer->have = peer->got = 0;
    peer->told = false;
}

/* Handles what has come up to the next STREAM, whose reader is notified. */
static bool take(int rank)
{
    struct peer *peer = &peers[rank];
    bool some = false;

    while (peer->fd >= 0 && receive_head(peer)) {
        if (peer->head.kind == STREAM) {
            peer->told = true;
            svp_stream_tell(rank, &peer->head);
            return some;
        }
        if (peer->got < peer->head.bytes)
            peer->got += receive(peer, peer->payload + peer->got,
                                 peer->head.bytes - peer->got);
        if (peer->got < peer->head.bytes)
            return some;
        next_message(peer);
        svp_handle(rank, &peer->head, peer->payload);
        some = true;
    }
    return some;
}

static int look(struct pollfd *files, int timeout)
{
    for (int rank = 0; rank < svp_ranks; rank++) {
        const struct peer *peer = &peers[rank];
        int events =
            (peer->told ? 0 : POLLIN) | (peer->room.first ? POLLOUT : 0);

        files[rank].fd = events ? peer->fd : -1;
        files[rank].events = (short)events;
    }
    return poll(files, (nfds_t)svp_ranks, timeout);
}

static bool poll_sockets(void)
{
    struct pollfd files[CORES];
    bool some = false;

    if (look(files, 0) <= 0)
        return false;
    for (int rank = 0; rank < svp_ranks; rank++) {
        if (!files[rank].revents)
            continue;
        if (files[rank].revents & ~POLLIN)
            svp_wake(&peers[rank].room);
        if (!peers[rank].told)
            some |= take(rank);
    }
    return some;
}

static void sleep_until_one(void)
{
    struct pollfd files[CORES];

    look(files, -1);
}

static void send_all(struct peer *peer, const void *from, uint32_t bytes,
                     int flags)
{
    const char *at = from;

    while (bytes && peer->fd >= 0) {
        ssize_t sent =
            send(peer->fd, at, bytes, flags | MSG_DONTWAIT | MSG_NOSIGNAL);

        if (sent > 0) {
            at += sent;
            bytes -= (uint32_t)sent;
        } else if (errno == EAGAIN) {
            svp_wait(&peer->room);
        } else {
            gone(peer, strerror(errno));
        }
    }
}

static void send_message(int rank, const struct message *message,
                         const void *payload)
{
    struct peer *peer = &peers[rank];
    uint32_t bytes = message->bytes;

    while (peer->sends)
        svp_wait(&peer->turn);
    peer->sends = true;
    send_all(peer, message, LINE, bytes ? MSG_MORE : 0);
    send_all(peer, payload, bytes, 0);
    peer->sends = false;
    svp_wake(&peer->turn);
}

static uint32_t stream_ready(int rank, uint32_t id, bool to_parent)
{
    struct peer *peer = &peers[rank];

    if (!peer->told)
        take(rank);
    if (!peer->told || peer->head.id != id || peer->head.word[0] != to_parent)
        return 0;
    return peer->head.bytes - peer->got;
}

static uint32_t stream_take(int rank, void *to, uint32_t bytes)
{
    struct peer *peer = &peers[rank];
    uint32_t got = receive(peer, to, bytes);

    peer->got += got;
    if (peer->got == peer->head.bytes)
        next_message(peer);
    else if (!got)
        peer->told = false; /* for what comes next it is notified again */
    return got;
}

/* The end of the process closes all: others see that. */
static void tell_nothing(void)
{
}

/* Rank 0 closes when all have answered, the others when rank 0 has. */
static void end(void)
{
    for (int rank = 0; svp_me == 0 && rank < svp_ranks; rank++)
        if (peers[rank].fd >= 0)
            close(peers[rank].fd);
    while (svp_me != 0 && peers[0].fd >= 0) {
        sleep_until_one();
        poll_sockets();
    }
}

static const struct wire wire = {
    .most = INT32_MAX,
    .open = open_sockets,
    .join = join,
    .send = send_message,
    .poll = poll_sockets,
    .listen = sleep_until_one,
    .stream_ready = stream_ready,
    .stream_take = stream_take,
    .abort = tell_nothing,
    .end = end,
};

const struct wire *const svp_sockets = &wire;
