/*
 * io.c: the chip for programs: pages of message buffers and shared memory,
 * registers one by one, interrupts of other cores. It takes one request at a
 * time and waits for nobody.
 */
#include "servers/io/io.h"

#include "l4/io.h"
#include "scc/registers.h"

static int32_t give(uint32_t slot, uint32_t badge)
{
    l4_utcb()->items[0] =
        slot << L4_SLOT_SHIFT | L4_ITEM_CAPABILITY | L4_RIGHTS;
    l4_utcb()->items[1] = badge;
    return L4_OK;
}

static int32_t serve(struct l4_message *m, uint32_t *items)
{
    *items = 0;
    switch (m->tag >> L4_LABEL_SHIFT) {
    case IO_MAP:
        *items = 1;
        return page_give(m->words[0], m->words[1]);
    case IO_READ:
        return register_read(m->words[0], &m->words[1]);
    case IO_WRITE:
        return register_write(m->words[0], m->words[1]);
    case IO_PIN:
        *items = 1;
        return give(L4_SLOT_PIN, 0);
    case IO_PINS:
        *items = 1;
        if (m->words[0] >= 2 * SCC_CRB_BASE_COUNT)
            return L4_BAD_ARGUMENT;
        return give(L4_SLOT_REGISTERS, m->words[0] + 1);
    default:
        return L4_BAD_ARGUMENT;
    }
}

int main(void)
{
    struct l4_message m = {0};
    uint32_t items = 0;
    int32_t result = l4_invoke(0, L4_RECEIVE | L4_FOREVER, &m);

    for (;;) {
        result = result == L4_OK ? serve(&m, &items) : L4_BAD_ARGUMENT;
        m.tag = L4_TAG(0, 2) | L4_TAG_ITEMS(result == L4_OK ? items : 0);
        m.words[0] = (uint32_t)result;
        result = l4_invoke(0, L4_REPLY_WAIT | L4_FOREVER, &m);
    }
}
