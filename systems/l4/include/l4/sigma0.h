/*
 * sigma0.h: the labels of requests to sigma0, the server that hands out
 * memory.
 *
 * The badge of the gate says who asks. Who has the gate without a badge may
 * ask for everything, and allow others what they may. The reply's first word is
 * L4_OK or an error. One request is for at most L4_PAGES_MAX pages.
 */
#ifndef L4_SIGMA0_H
#define L4_SIGMA0_H

/* Requests pages of memory that nobody has yet. Word: how many. The reply has
 * them as one item. */
#define SIGMA0_ANY 1
/* Requests the pages at a given place. Words: physical address, number of
 * pages, memory type | write. Everybody may read modules and what else the
 * loader left; what was reserved has who reserved it; what lies beyond private
 * memory has who is allowed devices. */
#define SIGMA0_AT 2
/* Reserves the rest of private memory for who asks, once for all: a second
 * request has L4_NO_MEMORY. Word: pages to leave for others. The reply's second
 * and third word: physical address, bytes. */
#define SIGMA0_RESERVE 3
/* Allows devices; only without a badge. Word: the badge, below 32, that may
 * have them. */
#define SIGMA0_DEVICES 4

#endif
