/* more.c: a piece that was sent with MSG_MORE leaves with the next one, as one
 * record; without it each leaves by itself (TCP_NODELAY). Rank 1 counts its
 * records, rank 0 reads. */
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <sys/socket.h>

#include "../programs/client.h"
#include "tcpip.h"

static struct sockaddr_in reader(void)
{
    return (struct sockaddr_in){
        .sin_family = AF_INET,
        .sin_port = htons(77),
        .sin_addr.s_addr = htonl(TCPIP_NETWORK + 1),
    };
}

static void read_all(void)
{
    struct sockaddr_in own = reader();
    int listener = socket(AF_INET, SOCK_STREAM, 0), fd;
    char bytes[4];

    if (bind(listener, (void *)&own, sizeof own) < 0 || listen(listener, 1) < 0)
        fail("listen");
    fd = accept(listener, NULL, NULL);
    if (recv(fd, bytes, 4, MSG_WAITALL) != 4)
        fail("recv");
    printf("%.4s\n", bytes);
}

static unsigned long records_for_two(int fd, const char *bytes, int flags)
{
    struct tcpip_counts before, after;

    tcpip_drain(); /* acknowledgements count, too */
    tcpip_count(&before);
    if (send(fd, bytes, 1, flags) != 1 || send(fd, bytes + 1, 1, 0) != 1)
        fail("send");
    tcpip_count(&after);
    return after.sent - before.sent;
}

int main(void)
{
    int on = 1, fd;

    if (tcpip_rank() == 0) {
        read_all();
        return 0;
    }
    fd = reach(reader(), 0);
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    printf("apart %lu\n", records_for_two(fd, "ab", 0));
    printf("together %lu\n", records_for_two(fd, "cd", MSG_MORE));
    return 0;
}
