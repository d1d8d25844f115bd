/* The host channel: one block of registers per core in the host window.
 *
 * Over it a core asks a host process for a service (request and reply lie in
 * the core's own memory and are read and written by the host behind its
 * caches), hands in its exit record, and sets time marks. All registers are
 * 32 bits wide and must be mapped uncached.
 */
#ifndef SCC_HOST_CHANNEL_H
#define SCC_HOST_CHANNEL_H

#include "memory_map.h"

#define SCC_HOST_CHANNEL(core) \
    (SCC_HOST_BASE + 0x00100000u + 0x100u * (core))

#define SCC_HOST_REQUEST_ADDRESS 0x00u
#define SCC_HOST_REQUEST_LENGTH 0x04u
#define SCC_HOST_REPLY_ADDRESS 0x08u
#define SCC_HOST_REPLY_CAPACITY 0x0Cu
#define SCC_HOST_DOORBELL 0x10u /* write: service number; read: status */
#define SCC_HOST_REPLY_LENGTH 0x14u

#define SCC_HOST_SERVICE_FILES 1u /* 9P2000.L messages */

#define SCC_HOST_IDLE 0u
#define SCC_HOST_BUSY 1u
#define SCC_HOST_DONE 2u
#define SCC_HOST_ERROR 3u

#define SCC_HOST_EXIT_REASON 0x40u
#define SCC_HOST_EXIT_CODE 0x44u
#define SCC_HOST_EXIT_EIP 0x48u
#define SCC_HOST_EXIT_ADDRESS 0x4Cu
#define SCC_HOST_EXIT_VECTOR 0x50u
#define SCC_HOST_EXIT_DONE 0x54u
#define SCC_HOST_MARK 0x60u

#define SCC_EXIT_NORMAL 1u
#define SCC_EXIT_SIGNAL 2u
#define SCC_EXIT_PANIC 3u
#define SCC_EXIT_NO_VECTOR 0xFFFFFFFFu

#endif
