/* sigma0.h: the labels of requests to sigma0, the server that hands out
 * memory. */
#ifndef L4_SIGMA0_H
#define L4_SIGMA0_H

/* Requests pages of memory that nobody has yet. Word: how many. The reply has
 * them as one item. */
#define SIGMA0_ANY 1
/* Requests the pages at a given place. Words: physical address, number of
 * pages, memory type | write. Only a task whose gate to sigma0 came from the
 * kernel may use it. */
#define SIGMA0_AT 2

#endif
