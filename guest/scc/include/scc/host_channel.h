/* Values of the host channel's registers (registers.h: SCC_HOST_...).
 *
 * Over the channel a core requests a service of a host process (request and
 * reply are in the core's own memory; the host reads and writes them behind the
 * core's caches), submits its exit record, and sets time marks.
 */
#ifndef SCC_HOST_CHANNEL_H
#define SCC_HOST_CHANNEL_H

#include "registers.h"

#define SCC_HOST_CHANNEL_OF(core) \
    (SCC_HOST_CHANNEL + SCC_HOST_CHANNEL_STRIDE * (core))

/* Services, written to the doorbell register. */
#define SCC_HOST_SERVICE_FILES 1u /* 9P2000.L messages */
#define SCC_HOST_SERVICE_SEND 2u  /* the request is an IP packet for the host */
#define SCC_HOST_SERVICE_RECEIVE \
    3u /* the reply is the next IP packet, or empty */

/* States, read from the doorbell register. */
#define SCC_HOST_IDLE 0u
#define SCC_HOST_BUSY 1u
#define SCC_HOST_DONE 2u
#define SCC_HOST_ERROR 3u

/* Exit record. */
#define SCC_EXIT_NORMAL 1u
#define SCC_EXIT_SIGNAL 2u
#define SCC_EXIT_PANIC 3u
#define SCC_EXIT_NO_VECTOR 0xFFFFFFFFu

#endif
