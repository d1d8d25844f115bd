/* Datagrams of the stack: their senders are known, large ones travel in
 * fragments; the bypass has none. */
#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "tcpip.h"

#define MOST 9000

static char data[MOST];

static struct sockaddr_in address_of(int rank)
{
    return (struct sockaddr_in){
        .sin_family = AF_INET,
        .sin_port = htons(53),
        .sin_addr.s_addr = htonl(TCPIP_NETWORK + 1 + (unsigned)rank),
    };
}

static void receive(int fd)
{
    size_t largest = 0;

    for (int n = 0; n < 8; n++) {
        struct sockaddr_in from;
        socklen_t length = sizeof from;
        ssize_t got;

        do
            got = recvfrom(fd, data, sizeof data, 0, (void *)&from, &length);
        while (got < 0);

        if (got < 1 || data[got - 1] != (char)n ||
            from.sin_addr.s_addr != address_of(1).sin_addr.s_addr)
            printf("datagram %d: %d bytes, wrong\n", n, (int)got);
        largest = (size_t)got > largest ? (size_t)got : largest;
        sendto(fd, "", 1, 0, (void *)&from, length);
    }
    printf("8 datagrams, %zu bytes in one\n", largest);
}

int main(void)
{
    struct sockaddr_in own = address_of(tcpip_rank()), other = address_of(0);
    struct timeval limit = {.tv_usec = 5000};
    int fd = socket(AF_INET, SOCK_DGRAM, 0);

    if (socket(AF_INET, SOCK_DGRAM, TCPIP_BYPASS) >= 0)
        printf("datagrams past the stack\n");
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    bind(fd, (void *)&own, sizeof own);
    if (tcpip_rank() == 0) {
        receive(fd);
        return 0;
    }
    for (int n = 0; n < 8; n++) {
        size_t bytes = n < 7 ? 1u << n : MOST;

        data[bytes - 1] = (char)n;
        /* What comes before the other is there is lost. */
        do
            if (sendto(fd, data, bytes, 0, (void *)&other, sizeof other) !=
                (ssize_t)bytes)
                perror("sendto");
        while (recv(fd, data, 1, 0) < 0);
    }
    return 0;
}
