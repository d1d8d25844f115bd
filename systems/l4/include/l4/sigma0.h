/* sigma0.h: what sigma0 is asked for: the labels of its messages. */
#ifndef L4_SIGMA0_H
#define L4_SIGMA0_H

/* -> that many pages of memory nobody has, as one item. */
#define SIGMA0_ANY 1
/* Physical address, pages, memory type | write: pages of this place. Only
 * who got its gate from the kernel may ask. */
#define SIGMA0_AT 2

#endif
