/* pieces.c: several cores send many small pieces to one that does not listen
 * for a while. Its buffer gets full; then they wait in the senders' stacks,
 * where they are put together into packets of many pieces. Once it receives,
 * nothing is missing. */
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <sys/socket.h>

#include "../programs/client.h"
#include "tcpip.h"

#define PIECES 500
#define MOST 47 /* senders */

static int read_pieces(int fd)
{
    int right = 0, number;

    for (int n = 0; n < PIECES; n++) {
        if (recv(fd, &number, sizeof number, MSG_WAITALL) != sizeof number)
            fail("recv");
        right += number == n;
    }
    return right;
}

static void read_late(struct sockaddr_in own)
{
    int listener = socket(AF_INET, SOCK_STREAM, 0), clients[MOST], right = 0;

    if (bind(listener, (void *)&own, sizeof own) < 0 ||
        listen(listener, MOST) < 0)
        fail("listen");
    for (int n = 0; n < tcpip_ranks() - 1; n++)
        clients[n] = accept(listener, NULL, NULL);
    nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
    for (int n = 0; n < tcpip_ranks() - 1; n++)
        right += read_pieces(clients[n]);
    printf("%d of %d pieces\n", right, PIECES * (tcpip_ranks() - 1));
}

static void send_pieces(struct sockaddr_in reader)
{
    int fd = reach(reader, 0), on = 1;

    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    for (int n = 0; n < PIECES; n++)
        if (send(fd, &n, sizeof n, 0) != sizeof n)
            fail("send");
}

int main(void)
{
    struct sockaddr_in reader = {
        .sin_family = AF_INET,
        .sin_port = htons(79),
        .sin_addr.s_addr = htonl(TCPIP_NETWORK + 1),
    };

    if (tcpip_rank() == 0)
        read_late(reader);
    else
        send_pieces(reader);
    return 0;
}
