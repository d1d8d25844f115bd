/*
 * sigma0.h: the labels of requests to sigma0, the server that hands out
 * memory.
 *
 * The badge of the gate identifies the task that asks. A task whose gate has no
 * badge may request all memory and devices, and decides which badges may have
 * devices. The reply's first word is L4_OK or an error. One request is for at
 * most L4_PAGES_MAX pages.
 */
#ifndef L4_SIGMA0_H
#define L4_SIGMA0_H

/* Requests free pages of memory, which no task has yet. Word: the number of
 * pages. The reply has them as one item. */
#define SIGMA0_ANY 1
/* Requests the pages at a given address. Words: physical address, number of
 * pages, memory type | write. Each task may read modules and the loader's other
 * data. Only the task that reserved memory (SIGMA0_RESERVE) gets pages of it.
 * Only a badge that may have devices gets pages beyond private memory. */
#define SIGMA0_AT 2
/* Reserves free private memory for the task that asks, once; later requests
 * return L4_NO_MEMORY. Words: the number of pages left for other tasks; the
 * largest number of pages reserved (0: all others). The reply's second and
 * third word: the physical address and the bytes of the reserved memory. */
#define SIGMA0_RESERVE 3
/* Allows a badge to request devices; only through a gate without a badge. Word:
 * that badge, below 32. */
#define SIGMA0_DEVICES 4

#endif
