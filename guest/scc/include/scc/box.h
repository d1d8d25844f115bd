/* A line box: one line of message memory that one core fills and another one
 * empties, with a receipt on the way back. Part of the core of the layer:
 * needs no C library and no kernel.
 *
 * The line lies in the receiver's message buffer, the receipt in the sender's:
 * each is written from afar and read near by. Both begin as zeros.
 */
#ifndef SCC_BOX_H
#define SCC_BOX_H

#include <stdint.h>

#include "scc/mpb.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Words that a box takes at once; the line's last one counts messages. */
#define SCC_BOX_WORDS (SCC_LINE_WORDS - 1)

/* One end of it; both ends name the same two lines. */
struct scc_box {
    volatile uint32_t *line, *receipt;
    volatile void *drain; /* a line that holds nothing, for scc_push */
    uint32_t number;      /* of the last message */
};

/* 0: the message before has not been taken out yet. */
int scc_box_put(struct scc_box *box, const uint32_t words[SCC_BOX_WORDS]);
/* 0: there is none. */
int scc_box_take(struct scc_box *box, uint32_t words[SCC_BOX_WORDS]);

#ifdef __cplusplus
}
#endif

#endif
