/*
 * tcpip.h: what programs may want to know of the network between the cores
 * beside the sockets of <sys/socket.h>, which this library has.
 *
 * The core of rank r has the address 192.168.4.(r + 1). Sockets over the
 * TCP/IP stack need liblwip.a (`make tcpip`); those of the bypass do not.
 */
#ifndef TCPIP_H
#define TCPIP_H

#ifdef __cplusplus
extern "C" {
#endif

/* socket(AF_INET, SOCK_STREAM, TCPIP_BYPASS): the same calls, but data goes
 * straight into the receiver's buffer, past the stack. */
#define TCPIP_BYPASS 253

#define TCPIP_NETWORK 0xc0a80400u /* 192.168.4.0, 24 bits; host order */

int tcpip_rank(void);  /* of this core */
int tcpip_ranks(void); /* how many there are */

/* Which memory the receive buffers are in. */
const char *tcpip_buffers(void);

/* Until all that was sent has been acknowledged, or for 10 s: before a program
 * makes no more calls for long. */
void tcpip_drain(void);

/* What this core has done so far. */
struct tcpip_counts {
    unsigned long sent, received; /* records: packets, messages */
    unsigned long rings;          /* interrupts that it asked for */
    unsigned long sleeps;         /* times that it waited for one */
    unsigned long full;           /* records for which there was no room */
};
void tcpip_count(struct tcpip_counts *counts);

#ifdef __cplusplus
}
#endif

#endif
