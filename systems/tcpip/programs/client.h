/* client.h: how the clients of this folder connect to their server. */
#ifndef CLIENT_H
#define CLIENT_H

#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static inline void fail(const char *what)
{
    perror(what);
    exit(1);
}

/* Connects to a server that may not listen yet: tries again every 0.2 ms of
 * simulated time until it does. Returns the socket; another error ends the
 * program with code 1. `protocol`: 0 or TCPIP_BYPASS. */
static inline int reach(struct sockaddr_in server, int protocol)
{
    for (;;) {
        int fd = socket(AF_INET, SOCK_STREAM, protocol);

        if (fd < 0)
            fail("socket");
        if (connect(fd, (void *)&server, sizeof server) == 0)
            return fd;
        if (errno != ECONNREFUSED)
            fail("connect");
        close(fd);
        nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL);
    }
}

#endif
