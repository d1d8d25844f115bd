/*
 * net.h: sockets of Linux's network between the cores, for programs that
 * measure it.
 */
#ifndef NET_H
#define NET_H

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "scc/job.h"

#define PORT 7000
#define LONGEST 65536u
#define PATIENCE_MS 5000

static const struct scc_job *job;
static char data[LONGEST];

static void fail(const char *what)
{
    perror(what);
    exit(1);
}

static double now_us(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

static struct sockaddr_in address_of(int rank)
{
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons(PORT)};

    address.sin_addr.s_addr =
        htonl(0xC0A80000u + (unsigned)job->core_of[rank] + 1);
    return address;
}

static int open_socket(int type)
{
    struct sockaddr_in own = address_of(job->rank);
    int file = socket(AF_INET, type, 0);

    if (file < 0 || bind(file, (struct sockaddr *)&own, sizeof own))
        fail("socket");
    return file;
}

static void say_to(int file, int rank, size_t bytes)
{
    struct sockaddr_in other = address_of(rank);

    if (sendto(file, data, bytes, 0, (struct sockaddr *)&other, sizeof other) !=
        (ssize_t)bytes)
        fail("sendto");
}

/* The length of the next datagram; -1 if none comes. */
static ssize_t hear(int file, int patience_ms)
{
    struct pollfd wanted = {.fd = file, .events = POLLIN};

    if (poll(&wanted, 1, patience_ms) <= 0)
        return -1;
    return recv(file, data, sizeof data, 0);
}

#endif
