// A core that dies is an error for those that wait for it, not a hang; one
// that ends has its connections closed.
// cc: -O2 -ltcpip
// run: -n 3 --tag none --env TCPIP_SOCKETS=bypass
// expect-exit: 76
// expect-match: ^rank 0: 5 bytes, then Connection reset by peer$
// expect-match: ^rank 0: 5 bytes, then the end$
#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "tcpip.h"

static struct sockaddr_in address = {.sin_family = AF_INET};

static void wait_for_both(void)
{
    int listener = socket(AF_INET, SOCK_STREAM, 0);

    if (bind(listener, (void *)&address, sizeof address) < 0 ||
        listen(listener, 2) < 0)
        perror("listen");
    for (int n = 0; n < 2; n++) {
        int fd = accept(listener, NULL, NULL);
        char text[64];
        ssize_t first = recv(fd, text, 5, MSG_WAITALL);
        ssize_t then = recv(fd, text, sizeof text, 0);

        printf("rank 0: %d bytes, then %s\n", (int)first,
               then < 0 ? strerror(errno) : "the end");
    }
}

int main(void)
{
    int rank = tcpip_rank(), fd;

    address.sin_port = htons(99);
    address.sin_addr.s_addr = htonl(TCPIP_NETWORK + 1);
    if (rank == 0) {
        wait_for_both();
        return 0;
    }
    for (;;) {
        fd = socket(AF_INET, SOCK_STREAM, 0);
        if (connect(fd, (void *)&address, sizeof address) == 0)
            break;
        close(fd);
        nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
    }
    send(fd, "hello", 5, 0);
    nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
    if (rank == 1)
        abort();
    return 0;
}
