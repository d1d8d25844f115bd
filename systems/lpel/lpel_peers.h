/*
 * lpel_peers.h: connections over TCP/IP to the cores with which this one shares
 * a stream.
 */
#ifndef LPEL_PEERS_H
#define LPEL_PEERS_H

struct lpel_peers {
    /* Connects to other ranks; collective. If with[rank] is true, fds[rank] is
     * a connection to that rank afterwards. The other rank must ask for it
     * too. */
    void (*meet)(const char *with, int *fds);
    /* Closes the connections; returns when all sent data has been received. */
    void (*part)(void);
};

/* NULL in a program that is linked without systems/tcpip (guest.toml). */
extern const struct lpel_peers *const lpel_peers;

#endif
