/*
 * rckmpi_improved.c: the improved channel of RCKMPI.
 *
 * An MPB has 48 sections of 64 bytes, one for each core, whatever the size of
 * the job: 16 bytes of metadata and 48 of payload. What does not fit goes into
 * the sender's own general purpose section: 32 chunks of 128 bytes, each a bit
 * of the control word that the metadata carry (bit 31 is the first chunk). It
 * serves several receivers at once; a word in private memory says which chunks
 * are taken. When none is free, messages carry 48 bytes.
 *
 *        0  sections of cores 0 to 47
 *     3072  general purpose section
 *     7168  bells (rckmpi_bells.c), then nothing
 *     8160  control line
 */
#include "rckmpi_chunks.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

struct metadata {
    uint16_t checksum;
    uint16_t bytes;  /* of this message */
    uint32_t chunks; /* of the general purpose section */
    uint32_t packet; /* bytes of the stream's packet still to come; with
                      * sums apart: the sum of the chunks' words */
    uint16_t received;
    uint16_t sent;
};
#define NUMBERS 3 /* the word with received and sent */
_Static_assert(offsetof(struct metadata, received) == NUMBERS * 4 &&
                   offsetof(struct metadata, sent) == NUMBERS * 4 + 2,
               "received and sent are one word");

/* Chunks of the own general purpose section that are in flight. */
static uint32_t owned;
int rckmpi_sum_apart;

/* The core may have had another process before: its numbers go on, and what
 * it sent last may not have been read yet. Both are in the section at the
 * peer, which this core has written. */
static void go_on(struct peer *peer)
{
    volatile struct metadata *there = (volatile struct metadata *)peer->theirs;
    volatile struct metadata *here = (volatile struct metadata *)peer->mine;

    scc_cl1invmb();
    peer->sent = there->sent;
    peer->received = there->received;
    peer->acknowledged = here->received;
    if (peer->acknowledged != peer->sent)
        peer->chunks = there->chunks;
    owned |= peer->chunks;
}

int rckmpi_improved_connect(int core)
{
    struct peer *peer = &rckmpi_peers[core];

    rckmpi_section = SECTION;
    peer->mine = rckmpi_mpb[rckmpi_my_core] + SECTION * (unsigned)core;
    peer->theirs = rckmpi_mpb[core] + SECTION * (unsigned)rckmpi_my_core;
    peer->buffer = rckmpi_mpb[core] + BUFFER_OFFSET;
    if (rckmpi_my_job >= FIRST_STARTED)
        go_on(peer);
    return 1;
}

/* The sum of the message's words and of its metadata, in 16 bits. */
static uint16_t fold(uint32_t sum, size_t bytes, uint32_t chunks,
                     uint32_t packet, uint16_t number)
{
    sum += bytes + chunks + packet + number;
    sum = (sum >> 16) + (sum & 0xffff);
    return (uint16_t)(sum + (sum >> 16));
}

/* Takes up to `wanted` chunks that are free. */
static uint32_t take_chunks(size_t wanted)
{
    uint32_t taken = 0;

    for (uint32_t bit = 1u << 31; wanted > 0 && bit; bit >>= 1)
        if (!(owned & bit)) {
            taken |= bit;
            wanted--;
        }
    owned |= taken;
    return taken;
}

size_t rckmpi_improved_send(struct peer *peer, struct cursor *from,
                            size_t total)
{
    uint32_t head[HEAD / 4] = {0}, sum = 0, chunks = 0, behind = 0;
    size_t bytes = total < PAYLOAD ? total : PAYLOAD;
    volatile char *to = peer->theirs;

    rckmpi_gather(head, from, bytes < HEAD ? bytes : HEAD);
    if (bytes > HEAD)
        sum = rckmpi_put_lines(to + LINE, from, 1);
    if (total > PAYLOAD) {
        chunks = take_chunks((total - PAYLOAD + CHUNK - 1) / CHUNK);
        bytes += rckmpi_fill_chunks(chunks, from, total - PAYLOAD, &behind);
    }
    uint32_t packet = rckmpi_sum_apart ? behind : total;
    if (!rckmpi_sum_apart)
        sum += behind;
    for (unsigned n = 0; n < HEAD / 4; n++)
        sum += head[n];
    peer->chunks = chunks;
    peer->sent++;
    put_words(to + META, head, HEAD / 4);
    volatile struct metadata *meta = (volatile struct metadata *)to;
    *(mpb_word *)meta =
        fold(sum, bytes, chunks, packet, peer->sent) | (uint32_t)bytes << 16;
    meta->chunks = chunks;
    meta->packet = packet;
    meta->sent = peer->sent;
    return bytes;
}

static size_t send_and_push(struct peer *peer, struct cursor *from,
                            size_t total)
{
    size_t bytes = rckmpi_improved_send(peer, from, total);

    push_wcb();
    return bytes;
}

/* A message that is not what was sent: the buffer is broken. */
static void damaged(const struct peer *peer, uint32_t found, uint32_t told)
{
    char text[160];
    int from = (int)(peer - rckmpi_peers);

    snprintf(text, sizeof text,
             "message %u from core %d to rank %d (core %d) is damaged: "
             "checksum %04x, its metadata say %04x",
             peer->received, from, rckmpi_my_rank, rckmpi_my_core, found, told);
    fprintf(stderr, "rckmpi: %s\n", text);
    rckmpi_abort(70);
}

static void check(const struct peer *peer, volatile struct metadata *meta)
{
    uint32_t chunks = meta->chunks, sum = 0, packet = meta->packet;
    size_t bytes = meta->bytes;
    size_t left = bytes > PAYLOAD && !rckmpi_sum_apart ? bytes - PAYLOAD : 0;

    for (unsigned n = META / 4; n < LINE / 4; n++)
        sum += ((mpb_word *)peer->mine)[n];
    if (bytes > HEAD)
        sum += rckmpi_sum(peer->mine + LINE, 1);
    for (unsigned n = 0; n < CHUNKS && left > 0; n++) {
        if (!(chunks & 1u << (31 - n)))
            continue;
        size_t now = left < CHUNK ? left : CHUNK;
        sum += rckmpi_sum(peer->buffer + n * CHUNK, lines_of(now));
        left -= now;
    }
    uint16_t found = fold(sum, bytes, chunks, packet, peer->received);
    if (found != meta->checksum || left > 0 || bytes == 0)
        damaged(peer, found, meta->checksum);
}

/* The numbers in the section have changed: an acknowledgement, a message, or
 * both. */
static void look_closer(struct peer *peer, uint32_t numbers)
{
    volatile struct metadata *meta = (volatile struct metadata *)peer->mine;
    uint16_t sent = (uint16_t)(numbers >> 16);

    peer->numbers = numbers;
    peer->acknowledged = (uint16_t)numbers;
    if (peer->acknowledged == peer->sent && peer->chunks) {
        owned &= ~peer->chunks;
        peer->chunks = 0;
    }
    if (sent != peer->received) {
        peer->received = sent;
        check(peer, meta);
        peer->arrived = meta->bytes;
        peer->arrived_chunks = meta->chunks;
        peer->sum_left = rckmpi_sum_apart ? meta->packet : 0;
        peer->taken = 0;
    }
}

/* Most looks find what the last one found: one word shows it, for both numbers
 * are in it. No message follows one that is not acknowledged. */
unsigned rckmpi_improved_look(struct peer *peer)
{
    uint32_t numbers = ((mpb_word *)peer->mine)[NUMBERS];

    if (numbers != peer->numbers)
        look_closer(peer, numbers);
    return (peer->arrived ? RCKMPI_ARRIVED : 0) |
           (peer->acknowledged == peer->sent ? RCKMPI_FREE : 0);
}

void rckmpi_improved_take(struct peer *peer, char *to, size_t bytes)
{
    while (bytes > 0) {
        size_t run;
        const volatile char *from = rckmpi_find(peer, peer->taken, &run);
        size_t now = bytes < run ? bytes : run;
        if (rckmpi_sum_apart && peer->taken >= PAYLOAD)
            peer->sum_left -= scc_get_sum(to, from, now);
        else
            scc_get(to, from, now);
        to += now;
        bytes -= now;
        peer->taken += now;
        peer->arrived -= now;
    }
    if (peer->arrived)
        return;
    uint32_t told = ((volatile struct metadata *)peer->mine)->packet;
    if (peer->sum_left)
        damaged(peer, told - peer->sum_left, told);
    ((volatile struct metadata *)peer->theirs)->received = peer->received;
}

static void receive(struct peer *peer, char *to, size_t bytes)
{
    rckmpi_improved_take(peer, to, bytes);
    if (!peer->arrived)
        push_wcb();
}

const struct channel rckmpi_improved = {
    .name = "improved",
    .connect = rckmpi_improved_connect,
    .look = rckmpi_improved_look,
    .send = send_and_push,
    .receive = receive,
};
