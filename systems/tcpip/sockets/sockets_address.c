/*
 * sockets_address.c: addresses of the network 192.168.4.0, and of the core
 * itself (127.0.0.0).
 */
#include "sockets.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

int tcpip_sockets_address_in(const struct sockaddr *from, socklen_t length,
                             struct address *address)
{
    struct sockaddr_in in;

    if (!from)
        return -EFAULT;
    if (length < (socklen_t)sizeof in)
        return -EINVAL;
    memcpy(&in, from, sizeof in);
    if (in.sin_family != AF_INET)
        return -EAFNOSUPPORT;
    address->host = ntohl(in.sin_addr.s_addr);
    address->port = ntohs(in.sin_port);
    return 0;
}

void tcpip_sockets_address_out(struct address address, struct sockaddr *to,
                               socklen_t *length)
{
    struct sockaddr_in in = {
        .sin_family = AF_INET,
        .sin_port = htons(address.port),
        .sin_addr.s_addr = htonl(address.host),
    };

    if (!to || !length)
        return;
    memcpy(to, &in, *length < sizeof in ? *length : sizeof in);
    *length = sizeof in;
}

static void tell_beyond(uint32_t host)
{
    static int told;

    if (told++)
        return;
    fprintf(stderr,
            "tcpip: %u.%u.%u.%u is beyond the chip: its Ethernet ports (eMAC) "
            "are registers that nothing is behind\nhint: cores are "
            "192.168.4.1 to 192.168.4.%d\n",
            host >> 24, host >> 16 & 255, host >> 8 & 255, host & 255,
            tcpip_link_ranks);
}

int tcpip_sockets_rank(uint32_t host)
{
    uint32_t number = host - TCPIP_NETWORK;

    if (host >> 24 == 127)
        return tcpip_link_my_rank;
    if (number > 255) {
        tell_beyond(host);
        return -ENETUNREACH;
    }
    if (number < 1 || number > (uint32_t)tcpip_link_ranks)
        return -EHOSTUNREACH;
    return (int)number - 1;
}
