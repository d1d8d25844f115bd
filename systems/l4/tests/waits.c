/*
 * waits.c: two tasks of a plan that wait for ever. The one that uses the other
 * calls it, and passes a gate of its own. On core 0 the server takes the call
 * and never replies; on other cores it calls that gate.
 */
#include "lib/l4.h"

enum { GATE = L4_SLOT_FREE };
enum { HELLO, CALL }; /* labels */

static void serve(int calls_back)
{
    struct l4_message m = {0};

    l4_utcb()->slot_window = GATE;
    l4_utcb()->slot_window_count = 1;
    for (;;) {
        l4_invoke(0, L4_RECEIVE | L4_FOREVER, &m);
        if (m.tag >> L4_LABEL_SHIFT == CALL && calls_back)
            l4_do(GATE, CALL, 0, 0, 0);
    }
}

int main(void)
{
    const struct l4_boot *boot = (const void *)L4_BOOT_INFORMATION;
    struct l4_message m = {L4_TAG(HELLO, 0), {0, 0, 0}, 0};

    if (l4_invoke(L4_SLOT_SERVER, L4_SEND, &m) == L4_NO_CAPABILITY)
        serve(boot->core != 0);
    l4_create(L4_SLOT_FACTORY, L4_KIND_GATE, GATE, L4_SLOT_THREAD, 0);
    l4_utcb()->items[0] =
        GATE << L4_SLOT_SHIFT | L4_ITEM_CAPABILITY | L4_RIGHTS;
    l4_utcb()->items[1] = 0;
    m.tag = L4_TAG(CALL, 0) | L4_TAG_ITEMS(1);
    l4_call(L4_SLOT_SERVER, &m);
    return 0;
}
