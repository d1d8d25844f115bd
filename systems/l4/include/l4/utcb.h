/* utcb.h: the page of a thread that kernel and program share. */
#ifndef L4_UTCB_H
#define L4_UTCB_H

#include <stdint.h>

#include "l4/numbers.h"

struct utcb {
    uint32_t words[L4_WORDS_MAX]; /* the first three travel in registers */
    uint32_t items[2 * L4_ITEMS_MAX];
    /* Where the receiver wants pages and capabilities; what comes is counted
     * off. */
    uint32_t page_window, page_window_pages;
    uint32_t slot_window, slot_window_count;
};

#endif
