/*
 * tcpip.h: functions for the network between the cores, in addition to the
 * sockets of <sys/socket.h>, which this library implements.
 *
 * The core of rank r has the address 192.168.4.(r + 1). Sockets over the
 * TCP/IP stack need liblwip.a (`make tcpip`); bypass sockets do not.
 */
#ifndef TCPIP_H
#define TCPIP_H

#ifdef __cplusplus
extern "C" {
#endif

/* The protocol of bypass sockets: socket(AF_INET, SOCK_STREAM, TCPIP_BYPASS).
 * Their calls are those of other sockets, but data is written directly into
 * the receiver's buffer, without the stack. */
#define TCPIP_BYPASS 253

#define TCPIP_NETWORK 0xc0a80400u /* 192.168.4.0, 24 bits; host order */

int tcpip_rank(void);  /* of this core */
int tcpip_ranks(void); /* number of ranks */

/* The kind of memory that receive buffers are in: "mpb" (the receiver's MPB;
 * the default), "l1" (off-die, of type MPBT; the default if another library
 * has the MPB) or "uncached" (off-die); TCPIP_BUFFERS chooses. */
const char *tcpip_buffers(void);

/* Serves the network until the receivers' stacks have acknowledged all data
 * that was sent over TCP, and all records of bypass sockets have left this
 * core, but for at most 10 s of simulated time; then returns. For a program
 * that will make no calls for a long time; runs at the program's exit too. */
void tcpip_drain(void);

/* What this core has counted since the program's start. */
struct tcpip_counts {
    unsigned long sent, received; /* records: packets and messages */
    unsigned long rings;          /* interrupts that it requested */
    unsigned long sleeps;         /* waits for an interrupt */
    unsigned long full;           /* times that a record found no room */
};
void tcpip_count(struct tcpip_counts *counts);

#ifdef __cplusplus
}
#endif

#endif
