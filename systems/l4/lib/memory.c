/*
 * memory.c: pages from sigma0, through the gate in L4_SLOT_SIGMA0.
 */
#include "l4/sigma0.h"
#include "lib/l4.h"

static int32_t ask(struct l4_message *m, uint32_t address, uint32_t pages)
{
    l4_utcb()->page_window = address;
    l4_utcb()->page_window_pages = pages;
    return l4_ask(L4_SLOT_SIGMA0, m);
}

/* Pages at this address that nobody had before; L4_OK or an error. */
int32_t take_pages(uint32_t address, uint32_t pages)
{
    int32_t result = L4_OK;

    while (pages && result == L4_OK) {
        uint32_t some = pages > L4_PAGES_MAX ? L4_PAGES_MAX : pages;
        struct l4_message m = {L4_TAG(SIGMA0_ANY, 1), {some, 0, 0}, 0};

        result = ask(&m, address, some);
        address += some * 4096;
        pages -= some;
    }
    return result;
}

/* At most L4_PAGES_MAX pages of this physical place; bits: L4_TYPE_..., 2 if
 * they are to be written. */
int32_t take_pages_at(uint32_t physical, uint32_t address, uint32_t pages,
                      uint32_t bits)
{
    struct l4_message m = {L4_TAG(SIGMA0_AT, 3), {physical, pages, bits}, 0};

    return ask(&m, address, pages);
}
