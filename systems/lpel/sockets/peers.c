/*
 * peers.c: connections over the sockets of systems/tcpip.
 *
 * They last for a run. Nagle's algorithm is off, as MPICH's channel over
 * sockets has it.
 */
#include "lpel_private.h"
#include "lpel_peers.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tcpip.h"

#define PORT 5720           /* and one more for each run */
#define NETWORK 0xc0a80401u /* of rank 0: 192.168.4.1 */

static int connections[RCCE_MAXNP], runs;

static int checked(int result, const char *what)
{
    if (result < 0)
        lpel_fail("docs/guide/tcpip.md has the errors", "sockets: %s: %s", what,
                  strerror(errno));
    return result;
}

static struct sockaddr_in address_of(int rank)
{
    return (struct sockaddr_in){
        .sin_family = AF_INET,
        .sin_port = htons((uint16_t)(PORT + runs)),
        .sin_addr.s_addr = htonl(NETWORK + (uint32_t)rank),
    };
}

static int new_socket(void)
{
    return checked(socket(AF_INET, SOCK_STREAM, 0), "socket");
}

static void use(int rank, int fd)
{
    int on = 1;

    checked(setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on),
            "TCP_NODELAY");
    connections[rank] = fd;
}

/* To those below by asking, from those above by being asked. */
static void meet(const char *with, int *fds)
{
    struct sockaddr_in address = address_of(lpel_my_rank);
    int listener = new_socket();

    checked(bind(listener, (void *)&address, sizeof address), "bind");
    checked(listen(listener, RCCE_MAXNP), "listen");
    RCCE_barrier(&RCCE_COMM_WORLD);
    for (int rank = 0; rank < lpel_my_rank; rank++) {
        int fd;

        if (!with[rank])
            continue;
        fd = new_socket();
        address = address_of(rank);
        checked(connect(fd, (void *)&address, sizeof address), "connect");
        use(rank, fd);
    }
    for (int rank = lpel_my_rank + 1; rank < lpel_all_ranks; rank++) {
        socklen_t length = sizeof address;
        int fd;

        if (!with[rank])
            continue;
        fd = checked(accept(listener, (void *)&address, &length), "accept");
        use((int)(ntohl(address.sin_addr.s_addr) - NETWORK), fd);
    }
    close(listener);
    runs++;
    memcpy(fds, connections, sizeof connections);
}

static void part(void)
{
    tcpip_drain();
    for (int rank = 0; rank < lpel_all_ranks; rank++)
        if (connections[rank])
            close(connections[rank]);
    memset(connections, 0, sizeof connections);
}

static const struct lpel_peers over_sockets = {.meet = meet, .part = part};
const struct lpel_peers *const lpel_peers = &over_sockets;
