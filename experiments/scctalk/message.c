/*
 * message.c: one packet from one core to the other.
 */
#include <string.h>

#include "scctalk.h"

/* Where a sender keeps the data of a pull packet: behind its own header. */
#define PULL_DATA LONGS_A_LINE
/* Data go to ever new memory, four times what the L2 holds. */
#define RING (1u << 20)

_Alignas(LINE) uint64_t received[PACKET_MAX / 8];
static _Alignas(LINE) uint64_t ring[RING / 8];

/* The header takes 8 bytes of a push packet. */
size_t payload_of(struct way way, size_t size)
{
    return way.place == PUSH ? size - HEADER_BYTES : size;
}

void send_packet(struct way way, const uint64_t *data, size_t size)
{
    static const uint64_t nothing[LONGS_A_LINE];
    struct header header = {self.tile, self.core, (uint32_t)size};

    if (way.place == PUSH) {
        write_lines(other_mpb + LONGS_A_LINE, data + LONGS_A_LINE - 1,
                    size - LINE);
        write_first_line(other_mpb, header, data);
    } else {
        write_lines(own_mpb + PULL_DATA, data, size);
        write_first_line(other_mpb, header, nothing);
    }
    if (way.notice == INTERRUPT)
        notify_partner();
}

/* Where the data of a STACK sink go. */
static uint64_t *array_on_stack;

void touch_ring(void)
{
    memset(ring, 1, sizeof(ring));
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
    }
    mpb_invalidate();
}

/* The way of a first implementation: an array of the packet's size on the
 * stack, then the calls that wait for packets and copy their data into it. */
void receive_packets(struct way way, size_t size, int packets)
{
    uint64_t array[way.sink == STACK ? size / sizeof(uint64_t) : 1];

    array_on_stack = array;
    for (int packet = 0; packet < packets; packet++)
        receive_packet(way);
    __asm__ volatile("" : : "r"(array) : "memory"); /* it is used */
}
