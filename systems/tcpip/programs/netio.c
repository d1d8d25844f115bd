/* netio.c: throughput from one core to another by the size of what is sent,
 * as the benchmark netio measures it: the sender sends packets of one size,
 * the receiver reads them.
 *
 *     netio stack|bypass mpb|l1|uncached SIZE BYTES
 *
 * Rank 1 sends to rank 0 that many bytes, but at most 1,000 packets. It sends
 * how many nanoseconds it took from the first timed packet until the receiver
 * said that it had all; a quarter as many go before, untimed. The end of a
 * stream is not kept back (TCP_NODELAY): netio's streams end by the clock.
 * Rank 0 prints what it counted (tcpip_count).
 */
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "client.h"
#include "tcpip.h"

#define PORT 0x494f
#define MOST 32768
#define MOST_PACKETS 1000

static char packet[MOST];

static struct sockaddr_in receiver(void)
{
    return (struct sockaddr_in){
        .sin_family = AF_INET,
        .sin_port = htons(PORT),
        .sin_addr.s_addr = htonl(TCPIP_NETWORK + 1),
    };
}

static void receive(int fd, size_t bytes)
{
    for (size_t have = 0; have < bytes;) {
        ssize_t got = recv(fd, packet + have, bytes - have, 0);

        if (got <= 0)
            fail("recv");
        have += (size_t)got;
    }
}

static int check(size_t bytes, unsigned number)
{
    for (size_t n = 0; n < bytes; n += 509)
        if (packet[n] != (char)(n + number))
            return 0;
    return 1;
}

static void mark(size_t bytes, unsigned number)
{
    for (size_t n = 0; n < bytes; n += 509)
        packet[n] = (char)(n + number);
}

static void sink(int protocol, size_t size, unsigned packets)
{
    struct sockaddr_in address = receiver();
    struct tcpip_counts counts;
    int listener = socket(AF_INET, SOCK_STREAM, protocol), fd;

    if (bind(listener, (void *)&address, sizeof address) < 0 ||
        listen(listener, 1) < 0)
        fail("listen");
    fd = accept(listener, NULL, NULL);
    if (fd < 0)
        fail("accept");
    for (unsigned n = 0; n < packets / 4; n++)
        receive(fd, size);
    send(fd, "r", 1, 0);
    for (unsigned n = 0; n < packets; n++) {
        receive(fd, size);
        if (!check(size, n)) {
            fprintf(stderr, "packet %u is damaged\n", n);
            exit(1);
        }
    }
    send(fd, "r", 1, 0);
    tcpip_count(&counts);
    printf("%lu records %lu rings %lu sleeps\n", counts.received, counts.rings,
           counts.sleeps);
    close(fd);
}

static void keep_back(int fd, int small)
{
    int set = !small;

    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &set, sizeof set);
}

static void send_packets(int fd, size_t size, unsigned packets)
{
    char answer;

    for (unsigned n = 0; n < packets; n++) {
        mark(size, n);
        if (send(fd, packet, size, 0) != (ssize_t)size)
            fail("send");
    }
    keep_back(fd, 0);
    if (recv(fd, &answer, 1, 0) != 1)
        fail("recv");
    keep_back(fd, 1);
}

static long long now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000ll + time.tv_nsec;
}

static void source(int protocol, const char *how, size_t size, unsigned packets)
{
    int fd = reach(receiver(), protocol);
    long long began;

    send_packets(fd, size, packets / 4);
    began = now();
    send_packets(fd, size, packets);
    printf("%s %s %zu %u %lld ns\n", how, tcpip_buffers(), size, packets,
           now() - began);
    close(fd);
}

int main(int count, char **words)
{
    size_t size, packets;
    int protocol;

    if (count != 5 || (size = strtoul(words[3], NULL, 10)) > MOST || !size) {
        fprintf(stderr, "netio stack|bypass mpb|l1|uncached SIZE BYTES\n");
        return 64;
    }
    packets = strtoul(words[4], NULL, 10) / size;
    if (packets > MOST_PACKETS)
        packets = MOST_PACKETS;
    setenv("TCPIP_BUFFERS", words[2], 1);
    protocol = strcmp(words[1], "bypass") ? IPPROTO_TCP : TCPIP_BYPASS;
    if (tcpip_rank() == 0)
        sink(protocol, size, (unsigned)packets);
    else if (tcpip_rank() == 1)
        source(protocol, words[1], size, (unsigned)packets);
    return 0;
}
