/*
 * rings.c: messages between cores without TCP/IP.
 *
 * Each pair of cores has a ring of lines in shared memory off-die, near the
 * receiver, written and read as message memory (MPBT). How far it is written
 * stands in the receiver's MPB, how far it is read in the sender's: whoever
 * asks reads its own tile. A bell, one word for all senders, notifies a receiver
 * that has nothing to do to look.
 */
#include <stdlib.h>
#include <string.h>

#include "scc/cache.h"
#include "scc/mpb.h"
#include "svp_private.h"

#define RING 16384u /* bytes, a power of two */
#define ABORTED 0xFFFFFFFFu
typedef uint32_t any_word __attribute__((aligned(1), may_alias));

/* At the begin of each core's MPB. */
struct control {
    volatile uint32_t bell, unused[7];
    volatile uint32_t written[CORES]; /* by each sender, in bytes */
    volatile uint32_t read[CORES];    /* by each receiver */
};

static volatile struct control *control[CORES]; /* uncached, by rank */
static volatile struct control *lines;          /* the own one, by lines */
static volatile char *shared;
static struct {
    uint32_t sent, room_until; /* to this rank */
    uint32_t taken;            /* from this rank */
    uint32_t part;             /* bytes of the first message that were taken */
} peer[CORES];
static uint32_t bells, heard;

/* Rings for 12 receivers behind each controller. */
#define RECEIVERS 12
#define RINGS_BYTES (RECEIVERS * CORES * RING)
#define CONTROL_LINES ((sizeof(struct control) + LINE - 1) / LINE)

#define PLAN(name, controller)                                                 \
    SCC_PLAN(name, SCC_SHARED, SCC_ALONE, (controller) * SEGMENT, RINGS_BYTES, \
             NAME)
PLAN(first_rings, 0u);
PLAN(second_rings, 1u);
PLAN(third_rings, 2u);
PLAN(fourth_rings, 3u);
SCC_PLAN(controls, SCC_MPB_LINE, SCC_ALONE, 0, CONTROL_LINES, NAME);

/* The ring for `to` that `from` writes. */
static volatile char *ring_of(int to, int from)
{
    int core = svp_core[to];
    int nth = scc_column_of(core) % 3 * 2 + scc_half_of(core) +
              scc_row_of(core) % 2 * 6;

    return shared + (uint32_t)scc_controller_of(core) * SEGMENT +
           (uint32_t)(nth * CORES + svp_core[from]) * RING;
}

static void claim(void)
{
    for (uint32_t controller = 0; controller < SCC_CONTROLLERS; controller++)
        scc_claim(SCC_SHARED, SCC_ALONE, controller * SEGMENT, RINGS_BYTES,
                  NAME);
    scc_claim(SCC_MPB_LINE, SCC_ALONE, 0, CONTROL_LINES, NAME);
}

static void open_rings(void)
{
    claim();
    for (int rank = 0; rank < svp_ranks; rank++) {
        uint32_t at = scc_mpb_of(svp_core[rank]);

        control[rank] = svp_device(SCC_UNCACHED, NULL, at, PAGE);
        if (rank == svp_me)
            lines = svp_device(SCC_MPBT, NULL, at, PAGE);
    }
    shared = svp_device(SCC_MPBT, NULL, SCC_SHARED_BASE, SCC_SHARED_SIZE);
    control[svp_me]->bell = 0;
    for (int rank = 0; rank < svp_ranks; rank++) {
        control[svp_me]->written[rank] = 0;
        control[svp_me]->read[rank] = 0;
        peer[rank].room_until = RING;
    }
}

static void ring_bell(int rank)
{
    bells++;
    control[rank]->bell = bells << 6 | (uint32_t)svp_me;
}

static void wait_for_room(int rank, uint32_t bytes)
{
    for (;;) {
        uint32_t until = control[svp_me]->read[rank] + RING;

        peer[rank].room_until = until;
        if (until - peer[rank].sent >= bytes && until - peer[rank].sent <= RING)
            return;
        svp_pass();
    }
}

static void put_line(volatile char *ring, uint32_t *at, const void *line)
{
    volatile any_word *to = (volatile any_word *)(ring + *at % RING);
    const any_word *from = line;

    for (int n = 0; n < 8; n++)
        to[n] = from[n];
    *at += LINE;
}

static void send_message(int rank, const struct message *message,
                         const void *payload)
{
    uint32_t lines_of = (message->bytes + LINE - 1) / LINE;
    volatile char *ring = ring_of(rank, svp_me);
    const char *from = payload;
    uint32_t at, left = message->bytes;

    if (peer[rank].room_until - peer[rank].sent < LINE + lines_of * LINE)
        wait_for_room(rank, LINE + lines_of * LINE);
    at = peer[rank].sent;
    put_line(ring, &at, message);
    for (; left >= LINE; left -= LINE, from += LINE)
        put_line(ring, &at, from);
    if (left) {
        char last[LINE] __attribute__((aligned(LINE))) = {0};

        memcpy(last, from, left);
        put_line(ring, &at, last);
    }
    /* The last line may be in the write-combine buffer in part: a page fault
     * of the payload has sent the rest of it. */
    scc_push(&lines->unused[0]);
    peer[rank].sent = at;
    control[rank]->written[svp_me] = at;
    ring_bell(rank);
}

static void read_lines(void *to, const volatile char *ring, uint32_t at,
                       uint32_t bytes)
{
    any_word *word = to;

    while (bytes >= 4) {
        uint32_t now = RING - at % RING;
        const volatile any_word *from =
            (const volatile any_word *)(ring + at % RING);

        if (now > bytes)
            now = bytes & ~3u;
        for (uint32_t n = 0; n < now / 4; n++) {
            /* Stores that miss go out one by one: the line is read first. */
            if (n % 8 == 0)
                (void)*(volatile any_word *)word;
            *word++ = from[n];
        }
        at += now;
        bytes -= now;
    }
    for (char *byte = (char *)word; bytes; bytes--)
        *byte++ = ring[at++ % RING];
}

static void taken(int rank, uint32_t bytes)
{
    peer[rank].taken += LINE + (bytes + LINE - 1) / LINE * LINE;
    peer[rank].part = 0;
    control[rank]->read[svp_me] = peer[rank].taken;
}

/* The first message of a ring; false if the ring is empty. */
static bool first(int rank, uint32_t written, struct message *message)
{
    if (written == ABORTED)
        exit(1); /* that core has printed why */
    if (written == peer[rank].taken)
        return false;
    read_lines(message, ring_of(svp_me, rank), peer[rank].taken, LINE);
    return true;
}

static bool take(int rank, uint32_t written)
{
    static char payload[PAYLOAD]; /* handlers do not nest */
    struct message message;
    bool some = false;

    while (first(rank, written, &message)) {
        if (message.kind == STREAM) {
            svp_stream_tell(rank, &message);
            return some;
        }
        read_lines(payload, ring_of(svp_me, rank), peer[rank].taken + LINE,
                   message.bytes);
        taken(rank, message.bytes);
        svp_handle(rank, &message, payload);
        some = true;
    }
    return some;
}

static bool poll_rings(void)
{
    uint32_t written[CORES];
    bool some = false;

    scc_cl1invmb();
    for (int rank = 0; rank < svp_ranks; rank++)
        written[rank] = lines->written[rank];
    for (int rank = 0; rank < svp_ranks; rank++)
        if (written[rank] != peer[rank].taken)
            some |= take(rank, written[rank]);
    return some;
}

static void listen_for_bell(void)
{
    while (control[svp_me]->bell == heard)
        ;
    heard = control[svp_me]->bell;
}

static void tell_all(void)
{
    for (int rank = 0; rank < svp_ranks; rank++)
        if (rank != svp_me && control[rank]) {
            control[rank]->written[svp_me] = ABORTED;
            ring_bell(rank);
        }
}

static uint32_t stream_ready(int rank, uint32_t id, bool to_parent)
{
    struct message message;

    scc_cl1invmb();
    if (!first(rank, lines->written[rank], &message) ||
        message.kind != STREAM || message.id != id ||
        message.word[0] != to_parent)
        return 0;
    return message.bytes - peer[rank].part;
}

static uint32_t stream_take(int rank, void *to, uint32_t bytes)
{
    const volatile char *ring = ring_of(svp_me, rank);
    struct message message;

    read_lines(&message, ring, peer[rank].taken, LINE);
    read_lines(to, ring, peer[rank].taken + LINE + peer[rank].part, bytes);
    peer[rank].part += bytes;
    if (peer[rank].part == message.bytes)
        taken(rank, message.bytes);
    return bytes;
}

static void nothing(void)
{
}

const struct wire svp_rings = {
    .most = PAYLOAD,
    .open = open_rings,
    .join = nothing,
    .send = send_message,
    .poll = poll_rings,
    .listen = listen_for_bell,
    .stream_ready = stream_ready,
    .stream_take = stream_take,
    .abort = tell_all,
    .end = nothing,
};
