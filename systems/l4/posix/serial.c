/*
 * serial.c: the two serial ports, by the logs that pass bytes as they are.
 */
#include "drivers/drivers.h"
#include "lib/string.h"
#include "posix/posix.h"

#define ROOM ((L4_WORDS_MAX - 3) * 4)

static u32 slot_of(u16 port)
{
    return port == COM1 ? SLOT_OUT : SLOT_ERROR;
}

void serial_init(u16 port)
{
    struct l4_message m = {
        L4_TAG(L4_FACTORY_CREATE, 7), {L4_KIND_LOG, slot_of(port), 0}, 0};

    memset(l4_utcb()->words + 3, 0, 12);
    l4_utcb()->words[6] = port == COM1 ? L4_LOG_PORT1 : L4_LOG_PORT2;
    l4_call(L4_SLOT_FACTORY, &m);
}

void serial_write(u16 port, const char *text, u32 length)
{
    while (length) {
        u32 some = length < ROOM ? length : ROOM;
        struct l4_message m = {
            L4_TAG(L4_LOG_WRITE, 3 + (some + 3) / 4), {some, 0, 0}, 0};

        memcpy(l4_utcb()->words + 3, text, some);
        l4_invoke(slot_of(port), L4_CALL | L4_FOREVER, &m);
        text += some, length -= some;
    }
}

/* The next byte, or -1 at the end of the input. */
s32 serial_read(u16 port)
{
    static OF_ALL_PROCESSES u8 line[ROOM];
    static OF_ALL_PROCESSES u32 next, count;

    while (next == count) {
        struct l4_message m = {L4_TAG(L4_LOG_READ, 0), {0, 0, 0}, 0};

        if (l4_invoke(slot_of(port), L4_CALL | L4_FOREVER, &m) ||
            (!m.words[0] && m.words[1]))
            return -1;
        next = 0;
        count = m.words[0];
        memcpy(line, l4_utcb()->words + 3, count);
    }
    return line[next++];
}
