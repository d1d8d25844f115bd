/*
 * ring.h: the declarations that the files of this folder share. A caller holds
 * the stream's guard while it calls any of them but the guard's own functions.
 *
 * make.c     streams and their ends
 * ring.c     the guard, the ring, waiting tasks
 * stream.c   reading and writing
 * poll.c     several streams
 * close.c    ends, and messages from other cores
 */
#ifndef LPEL_RING_H
#define LPEL_RING_H

#include "lpel_private.h"

/* Lock and unlock a stream for this core. They do nothing with LPEL_MESSAGES,
 * where all that access a stream are tasks of one core. */
void lpel_stream_guard(const struct lpel_stream *stream);
void lpel_stream_unguard(const struct lpel_stream *stream);
/* Wakes the task in `*waits`, which becomes null; nothing if it is null. */
void lpel_wake_waiter(struct lpel_task *volatile *waits);
void *lpel_pop(struct lpel_stream *stream); /* which is not empty */
void lpel_push(struct lpel_stream *stream, void *message); /* is not full */

#endif
