/* i386 Linux numbers and structures of sockets. */
#ifndef ABI_ABI_SOCKET_H
#define ABI_ABI_SOCKET_H

#include "lib/types.h"

#define AF_UNIX 1u

#define SOCK_STREAM 1u
#define SOCK_DGRAM 2u
#define SOCK_SEQPACKET 5u
#define SOCK_TYPE 0xFu /* the rest are O_NONBLOCK and O_CLOEXEC */

#define MSG_PEEK 0x02u
#define MSG_TRUNC 0x20u
#define MSG_DONTWAIT 0x40u
#define MSG_WAITALL 0x100u
#define MSG_NOSIGNAL 0x4000u

#define SHUT_RD 0u
#define SHUT_WR 1u
#define SHUT_RDWR 2u

#define SOL_SOCKET 1u
#define SO_REUSEADDR 2u
#define SO_TYPE 3u
#define SO_ERROR 4u
#define SO_SNDBUF 7u
#define SO_RCVBUF 8u
#define SO_KEEPALIVE 9u
#define SO_ACCEPTCONN 30u
#define SO_PROTOCOL 38u
#define SO_DOMAIN 39u

struct msghdr {
    u32 name, name_length;
    u32 pieces, piece_count; /* struct iovec */
    u32 control, control_length;
    u32 flags;
};

#endif
