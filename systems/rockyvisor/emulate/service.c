/*
 * service.c: a page beyond the guest's memory, by which software of the guest
 * prints, reads the machine's input and the host's files without a driver of a
 * PC's devices, and ends the machine: for the first program of `rck smp PROG`
 * (linux/programs/first.c) and for Linux (linux/kernel).
 */
#include "common/processor.h"
#include "emulate/emulate.h"
#include "scc/host_channel.h"
#include "scc/memory_map.h"
#include "service.h"

#define PIECE 256u
#define MOST 0x10000u  /* at once: other cores wait meanwhile */
#define LINE_MOST 256u /* bytes of input, of which each takes 6 us */
#define NO_CARRIER(status) (!((status) & SCC_SERIAL_MSR_DCD))

/* In memory that all cores see past their caches: the host answers where the
 * first core's channel says, and input comes there. */
static u32 message, answer, line, channel;

void service_init(void)
{
    u32 at = common_messages();

    message = device_pages(at, SERVICE_MESSAGE);
    answer = device_pages(at + SERVICE_MESSAGE, SERVICE_MESSAGE);
    line = device_page(at + 2 * SERVICE_MESSAGE);
    channel = device_page(SCC_HOST_CHANNEL_OF(options.cores[0]));
    write_register(channel + SCC_HOST_REQUEST_ADDRESS, at);
    write_register(channel + SCC_HOST_REPLY_ADDRESS, at + SERVICE_MESSAGE);
    write_register(channel + SCC_HOST_REPLY_CAPACITY, SERVICE_MESSAGE);
}

static void print_of(struct vcpu *v, u32 from, u32 count)
{
    u8 piece[PIECE];

    while (count && count <= MOST) {
        u32 part = count < PIECE ? count : PIECE;

        if (!guest_read(v, from, piece, part))
            return;
        console_out(piece, part);
        if (mail_waits)
            mails_serve(FOR_ANOTHER);
        from += part;
        count -= part;
    }
}

/* On the first core: a line, or as much of it as has room; time stands still
 * while the host has none. */
u32 service_line(u32 room)
{
    u8 *to = (u8 *)line;
    u32 count = 0;

    while (count < room && count < LINE_MOST) {
        while (!(in_byte(SCC_SERIAL_COM1 + SCC_SERIAL_LSR) &
                 SCC_SERIAL_LSR_DATA_READY))
            if (NO_CARRIER(in_byte(SCC_SERIAL_COM1 + SCC_SERIAL_MSR)))
                return count;
        to[count] = in_byte(SCC_SERIAL_COM1 + SCC_SERIAL_DATA);
        if (to[count++] == '\n')
            break;
    }
    return count;
}

static u32 files(struct vcpu *v, const struct service_ask *ask)
{
    u32 bytes;

    if (ask->count > SERVICE_MESSAGE ||
        !guest_read(v, ask->address, (void *)message, ask->count))
        return SERVICE_FAILED;
    write_register(channel + SCC_HOST_REQUEST_LENGTH, ask->count);
    write_register(channel + SCC_HOST_DOORBELL, SCC_HOST_SERVICE_FILES);
    while (read_register(channel + SCC_HOST_DOORBELL) == SCC_HOST_BUSY)
        if (mail_waits)
            mails_serve(FOR_ANOTHER);
    bytes = read_register(channel + SCC_HOST_REPLY_LENGTH);
    if (read_register(channel + SCC_HOST_DOORBELL) != SCC_HOST_DONE ||
        bytes > ask->room ||
        !guest_write(v, ask->reply, (const void *)answer, bytes))
        return SERVICE_FAILED;
    return bytes;
}

static u32 input(struct vcpu *v, const struct service_ask *ask)
{
    u32 bytes =
        core_index == 0 ? service_line(ask->room) : mail_line(ask->room);

    if (!guest_write(v, ask->reply, (const void *)line, bytes))
        return SERVICE_FAILED;
    return bytes;
}

u32 service_read(u32 offset)
{
    return offset == SERVICE_MAGIC ? SERVICE_MAGIC_WORD : 0;
}

void service_write(struct vcpu *v, u32 offset, u32 value)
{
    struct service_ask ask;

    if (offset != SERVICE_ASK || !guest_read(v, value, &ask, sizeof(ask)))
        return;
    if (ask.what == SERVICE_END)
        power_off(ask.count & 0xFF);
    if (ask.what == SERVICE_PRINT)
        print_of(v, ask.address, ask.count);
    ask.result = ask.what == SERVICE_FILES   ? files(v, &ask)
                 : ask.what == SERVICE_INPUT ? input(v, &ask)
                                             : 0;
    guest_write(v, value, &ask, sizeof(ask));
}
