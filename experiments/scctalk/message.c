/*
 * message.c: one packet from one core to the other.
 */
#include "scctalk.h"

/* Where a sender keeps the data of a pull packet: behind its own header. */
#define PULL_DATA LONGS_A_LINE
/* Data go to ever new memory, four times what the L2 holds. */
#define RING (1u << 20)

int last_packet_was_right;
_Alignas(LINE) uint64_t received[PACKET_MAX / 8];
static _Alignas(LINE) uint64_t ring[RING / 8];

/* The header takes 8 bytes of a push packet. */
size_t payload_of(struct way way, size_t size)
{
    return way.place == PUSH ? size - HEADER_BYTES : size;
}

static const uint64_t nothing[LONGS_A_LINE];

static void write_data(mpb_long *to, const uint64_t *from, size_t bytes)
{
    for (size_t i = 0; i < bytes / sizeof(*to); i += LONGS_A_LINE)
        write_line(to + i, from[i], from + i + 1);
}

/* The own MPB first, so that an answer finds it ready. */
void send_packet(struct way way, const uint64_t *data, size_t size)
{
    struct header header = {self.tile, self.core, (uint32_t)size};

    mpb_invalidate();
    if (way.place == PUSH) {
        write_data(other_mpb + LONGS_A_LINE, data + LONGS_A_LINE - 1,
                   size - LINE);
        write_header(other_mpb, header, data);
    } else {
        write_data(own_mpb + PULL_DATA, data, size);
        write_header(other_mpb, header, nothing);
    }
    if (way.notice == INTERRUPT)
        notify_partner();
}

/* The packet is taken: between polling cores a header line like any other. */
static void send_signal(enum notice notice)
{
    struct header header = {self.tile, self.core, LINE};

    mpb_invalidate();
    if (notice == INTERRUPT)
        notify_partner();
    else
        write_header(other_mpb, header, nothing);
}

/* Where the data of a STACK sink go. */
static uint64_t *array_on_stack;

void touch_pages(void *area, size_t bytes)
{
    for (size_t at = 0; at < bytes; at += PAGE)
        *((volatile char *)area + at) = 1;
}

void touch_ring(void)
{
    touch_pages(ring, sizeof(ring));
}

/* As after many packets: the L2 is full of lines of the ring that must be
 * written back when another one comes. */
void use_ring(void)
{
    static const uint64_t packet[PACKET_MAX / 8];

    for (size_t at = 0; at < RING; at += PACKET_MAX)
        copy_allocating(ring + at / sizeof(*ring), packet, PACKET_MAX);
}

typedef void copier(uint64_t *to, const mpb_long *from, size_t bytes);

static void copy_to_ring(copier *copy, const mpb_long *from, size_t bytes)
{
    static size_t at;

    if (at + PACKET_MAX > RING)
        at = 0;
    copy(ring + at / sizeof(*ring), from, bytes);
    at += (bytes + LINE - 1) / LINE * LINE;
}

void receive_packet(struct way way)
{
    struct header header = wait_for_packet(way.notice);
    const mpb_long *from =
        way.place == PUSH ? own_mpb + 1 : other_mpb + PULL_DATA;
    size_t bytes = payload_of(way, header.size);

    switch (way.sink) {
    case READ:
        read_payload(from, bytes);
        break;
    case STACK:
        copy_payload(array_on_stack, from, bytes);
        break;
    case STATIC:
        copy_payload(received, from, bytes);
        break;
    case PLAIN:
        copy_to_ring(copy_payload, from, bytes);
        break;
    case ALLOCATE:
        copy_to_ring(copy_allocating, from, bytes);
        break;
    case CHECK:
        last_packet_was_right = payload_is_right(from, bytes, header.size);
        break;
    }
}

/* Packets one way: the sender may go on when each is taken. */
void receive_and_signal(struct way way)
{
    receive_packet(way);
    send_signal(way.notice);
}

/* Calls inside calls that use up to so many bytes below `top`. Each return
 * reads the stack, and what is read is allocated. */
static __attribute__((noinline)) void call_deep(const char *top, size_t bytes)
{
    const char *here = __builtin_frame_address(0);

    if ((size_t)(top - here) + LINE < bytes)
        call_deep(top, bytes);
    __asm__ volatile("" : : : "memory"); /* behind the call: no jump */
}

/* The way of a first implementation: an array of the packet's size on the
 * stack, then the calls that wait for packets and copy their data into it.
 * What calls before have left in the caches of that stack matters. */
void receive_packets(struct way way, size_t size, int packets)
{
    if (way.depth)
        call_deep(__builtin_alloca(1), way.depth);

    _Alignas(LINE) uint64_t
        array[way.sink == STACK ? size / sizeof(uint64_t) : LONGS_A_LINE];

    array_on_stack = array;
    for (int packet = 0; packet < packets; packet++)
        receive_and_signal(way);
    __asm__ volatile("" : : "r"(array) : "memory"); /* it is used */
}
