// Who sends more than there is room for is notified, without blocking or by a
// time limit; once the other receives, nothing is missing.
// cc: -O2 -ltcpip
// run: -n 2 --tag none --env TCPIP_SOCKETS=bypass
// expect-match: ^no room: Resource temporarily unavailable$
// expect-match: ^none within 5 ms: Resource temporarily unavailable$
// expect-match: ^all that was sent has come$
#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "tcpip.h"

static struct sockaddr_in address = {.sin_family = AF_INET};
static char piece[1000];

static void pause_ms(long ms)
{
    nanosleep(&(struct timespec){.tv_nsec = ms * 1000000}, NULL);
}

static void slow_reader(void)
{
    int listener = socket(AF_INET, SOCK_STREAM, 0), fd;
    unsigned long have = 0, sent = 0;
    ssize_t got;

    bind(listener, (void *)&address, sizeof address);
    listen(listener, 1);
    fd = accept(listener, NULL, NULL);
    pause_ms(30);
    while ((got = recv(fd, piece, sizeof piece, 0)) > 0)
        have += (unsigned long)got;
    fd = accept(listener, NULL, NULL);
    recv(fd, &sent, sizeof sent, MSG_WAITALL);
    printf("%s\n",
           have == sent ? "all that was sent has come" : "some is lost");
}

static int reach(void)
{
    for (;;) {
        int fd = socket(AF_INET, SOCK_STREAM, 0);

        if (connect(fd, (void *)&address, sizeof address) == 0)
            return fd;
        close(fd);
        pause_ms(1);
    }
}

int main(void)
{
    struct timeval limit = {.tv_usec = 5000};
    unsigned long sent = 0;
    ssize_t now;
    int fd;

    address.sin_port = htons(99);
    address.sin_addr.s_addr = htonl(TCPIP_NETWORK + 1);
    if (tcpip_rank() == 0) {
        slow_reader();
        return 0;
    }
    fd = reach();
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
    while ((now = send(fd, piece, sizeof piece, 0)) > 0)
        sent += (unsigned long)now;
    printf("none within 5 ms: %s\n", strerror(errno));
    now = send(fd, piece, sizeof piece, MSG_DONTWAIT);
    printf("no room: %s\n", now < 0 ? strerror(errno) : "sent");
    close(fd);
    fd = reach();
    send(fd, &sent, sizeof sent, 0);
    return 0;
}
