/*
 * peers.h: a connection to each core with which this one shares a stream.
 */
#ifndef LPEL_PEERS_H
#define LPEL_PEERS_H

/* Collective. `with[rank]`: a connection is wanted; then it is in fds[rank].
 * The other side wants one, too. */
void lpel_peers_meet(const char *with, int *fds);
/* Closes them; returns when all that was said has been heard. */
void lpel_peers_part(void);

#endif
