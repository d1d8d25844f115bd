/*
 * tcpip.h: functions for the network between the cores, besides the sockets of
 * <sys/socket.h>, which this library has.
 *
 * The core of rank r has the address 192.168.4.(r + 1). Sockets over the TCP/IP
 * stack need liblwip.a (`make tcpip`); bypass sockets do not.
 */
#ifndef TCPIP_H
#define TCPIP_H

#ifdef __cplusplus
extern "C" {
#endif

/* socket(AF_INET, SOCK_STREAM, TCPIP_BYPASS): the same calls, but data goes
 * straight into the receiver's buffer, bypassing the stack. */
#define TCPIP_BYPASS 253

#define TCPIP_NETWORK 0xc0a80400u /* 192.168.4.0, 24 bits; host order */

int tcpip_rank(void);  /* of this core */
int tcpip_ranks(void); /* how many there are */

/* The name of the memory that receive buffers are in. */
const char *tcpip_buffers(void);

/* Waits until all sent data has been acknowledged, or for 10 s: for a program
 * that will make no calls for long. */
void tcpip_drain(void);

/* The counts of this core so far. */
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
