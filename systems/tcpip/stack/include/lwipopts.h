/*
 * lwipopts.h: the settings with which lwIP is built for a core: no operating
 * system below it; IPv4, TCP and UDP through its raw interface. Nagle's
 * algorithm and checksums are on, as they are by default.
 */
#ifndef LWIPOPTS_H
#define LWIPOPTS_H

#define NO_SYS 1
#define SYS_LIGHTWEIGHT_PROT 0
#define LWIP_SOCKET 0
#define LWIP_NETCONN 0

#define LWIP_IPV4 1
#define LWIP_IPV6 0
#define LWIP_TCP 1
#define LWIP_UDP 1
#define LWIP_ICMP 1
#define LWIP_RAW 0
/* No Ethernet exists between the cores: an IP address determines its core. */
#define LWIP_ARP 0
#define LWIP_ETHERNET 0
#define LWIP_DHCP 0
#define LWIP_AUTOIP 0
#define LWIP_IGMP 0
#define LWIP_DNS 0
/* A core reaches itself by its own address and by 127.0.0.1. */
#define LWIP_HAVE_LOOPIF 1
#define LWIP_NETIF_LOOPBACK 1

/* One packet is one record: 4,064 bytes off-die, 3,552 in the MPB; netif->mtu
 * has the actual size. */
#define TCP_MSS 4024
#define TCP_WND (8 * TCP_MSS)
#define TCP_SND_BUF (8 * TCP_MSS)
#define TCP_SND_QUEUELEN 64
#define TCP_LISTEN_BACKLOG 1
#define SO_REUSE 1
#define LWIP_TCP_KEEPALIVE 1
/* An idle connection is probed after 30 s of simulated time, and ends after a
 * minute without a reply: the other core has stopped, or makes no call. In
 * milliseconds; 6 probes. */
#define TCP_KEEPIDLE_DEFAULT 30000UL
#define TCP_KEEPINTVL_DEFAULT 5000UL
#define TCP_KEEPCNT_DEFAULT 6U

/* Segments come from malloc, because lwIP's own heap has a fixed size and is
 * searched from its start for each segment. */
#define MEM_LIBC_MALLOC 1
#define MEM_ALIGNMENT 4
#define MEMP_NUM_PBUF 256
#define MEMP_NUM_TCP_PCB 320
#define MEMP_NUM_TCP_PCB_LISTEN 64
#define MEMP_NUM_TCP_SEG 512
#define MEMP_NUM_UDP_PCB 64
#define MEMP_NUM_SYS_TIMEOUT 16
/* Incoming packets are on the heap, so the pool may be small. */
#define PBUF_POOL_SIZE 4
#define PBUF_POOL_BUFSIZE 512
#define LWIP_DISABLE_TCP_SANITY_CHECKS 1

/* Words are summed two at a time; copied data is summed during the copy. */
#define LWIP_CHKSUM_ALGORITHM 3

#define LWIP_STATS 0
#define LWIP_DEBUG 0
#define LWIP_NOASSERT 1

#endif
