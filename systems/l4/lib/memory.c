/*
 * memory.c: pages from sigma0, through the gate in L4_SLOT_SIGMA0.
 */
#include "l4/sigma0.h"
#include "lib/l4.h"

/* Pages at this address that nobody had before; L4_OK or an error. */
int32_t take_pages(uint32_t address, uint32_t pages)
{
    while (pages) {
        uint32_t some = pages > L4_PAGES_MAX ? L4_PAGES_MAX : pages;
        struct l4_message m = {L4_TAG(SIGMA0_ANY, 1), {some, 0, 0}, 0};
        int32_t result;

        l4_utcb()->page_window = address;
        l4_utcb()->page_window_pages = some;
        result = l4_invoke(L4_SLOT_SIGMA0, L4_CALL | L4_FOREVER, &m);
        if (result == L4_OK)
            result = (int32_t)m.words[0];
        if (result)
            return result;
        address += some * 4096;
        pages -= some;
    }
    return L4_OK;
}
