/* utcb.h: the UTCB, the part of a page that a thread shares with the kernel. */
#ifndef L4_UTCB_H
#define L4_UTCB_H

#include <stdint.h>

#include "l4/numbers.h"

struct utcb {
    uint32_t words[L4_WORDS_MAX]; /* the first three travel in registers */
    /* Two words an item. Pages: own address | L4_ITEM_ flags, number.
     * Capability: slot << L4_SLOT_SHIFT | flags | rights, badge (0: as was). */
    uint32_t items[2 * L4_ITEMS_MAX];
    /* Where the receiver wants to have pages (address and number) and
     * capabilities (first slot and number). The kernel advances both by what
     * arrives. */
    uint32_t page_window, page_window_pages;
    uint32_t slot_window, slot_window_count;
};

#endif
