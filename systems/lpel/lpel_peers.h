/*
 * lpel_peers.h: a connection to each core with which this one shares a stream.
 */
#ifndef LPEL_PEERS_H
#define LPEL_PEERS_H

struct lpel_peers {
    /* Connects to other ranks; collective. If with[rank] is true, fds[rank] is
     * a connection to that rank afterwards. The other rank must ask for it
     * too. */
    void (*meet)(const char *with, int *fds);
    /* Closes the connections. Returns when all sent data has been received. */
    void (*part)(void);
};

/* NULL in a program that is linked without systems/tcpip (guest.toml). */
extern const struct lpel_peers *const lpel_peers;

#endif
