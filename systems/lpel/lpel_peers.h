/*
 * lpel_peers.h: connections over TCP/IP to the cores with which this one shares
 * a stream.
 */
#ifndef LPEL_PEERS_H
#define LPEL_PEERS_H

struct lpel_peers {
    /* Connects to other ranks; collective. If with[rank] is true, fds[rank] is
     * a connection to that rank afterwards, otherwise 0. The other rank must
     * ask for it too. */
    void (*meet)(const char *with, int *fds);
    /* Waits until all sent data has been acknowledged (10 s of simulated time
     * at most), then closes the connections. */
    void (*part)(void);
};

/* NULL in a program that is linked without systems/tcpip (guest.toml). */
extern const struct lpel_peers *const lpel_peers;

#endif
