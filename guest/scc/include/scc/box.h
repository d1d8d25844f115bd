/* A line box: one line of message memory that one core fills and another one
 * empties, with a receipt on the way back. Part of the core of the layer: needs
 * no C library and no kernel.
 *
 * The line is in the receiver's message buffer, the receipt in the sender's, so
 * each core polls its own buffer and writes into the other's. Both begin as
 * zeros.
 */
#ifndef SCC_BOX_H
#define SCC_BOX_H

#include <stdint.h>

#include "scc/mpb.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The words of a message; the line's last word counts messages. */
#define SCC_BOX_WORDS (SCC_LINE_WORDS - 1)

/* One end of a box; both ends name the same two lines. */
struct scc_box {
    volatile uint32_t *line, *receipt;
    volatile void *drain; /* a line that holds nothing, for scc_push */
    uint32_t number;      /* of the last message */
};

/* Sends a message; 0 if the receiver has not taken the previous one yet. */
int scc_box_put(struct scc_box *box, const uint32_t words[SCC_BOX_WORDS]);
/* Takes a message; 0 if there is none. */
int scc_box_take(struct scc_box *box, uint32_t words[SCC_BOX_WORDS]);

#ifdef __cplusplus
}
#endif

#endif
