/*
 * lpel_peers.h: a connection to each core with which this one shares a stream.
 */
#ifndef LPEL_PEERS_H
#define LPEL_PEERS_H

struct lpel_peers {
    /* Connects; collective. `with[rank]`: a connection is wanted, and is in
     * fds[rank] afterwards. The other side must want one, too. */
    void (*meet)(const char *with, int *fds);
    /* Closes the connections; returns when all sent data has been received. */
    void (*part)(void);
};

/* NULL in a program without systems/tcpip (guest.toml). */
extern const struct lpel_peers *const lpel_peers;

#endif
