/*
 * lpel_peers.h: a connection to each core with which this one shares a stream.
 */
#ifndef LPEL_PEERS_H
#define LPEL_PEERS_H

struct lpel_peers {
    /* Collective. `with[rank]`: a connection is wanted; then it is in
     * fds[rank]. The other side wants one, too. */
    void (*meet)(const char *with, int *fds);
    /* Closes them; returns when all that was said has been heard. */
    void (*part)(void);
};

/* NULL in a program without systems/tcpip (guest.toml). */
extern const struct lpel_peers *const lpel_peers;

#endif
