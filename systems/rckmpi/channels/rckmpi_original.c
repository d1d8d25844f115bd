/*
 * rckmpi_original.c: the first channel of RCKMPI. The receiver's MPB is cut
 * into as many equal sections as there are ranks, whole lines each: 160 bytes
 * with 48. Twelve bytes of a section are metadata.
 */
#include "../rckmpi_private.h"

/* The section's first words. */
struct metadata {
    uint32_t bytes;
    uint32_t received; /* the last message that came the other way */
    uint32_t sent;     /* the number of this one */
};
#define META 12u
#define HEAD (LINE - META) /* payload in the first line */

static int connect_section(int core)
{
    size_t section = CONTROL_OFFSET / (size_t)rckmpi_ranks / LINE * LINE;
    struct peer *peer = &rckmpi_peers[core];
    int rank = 0;

    while (rank < rckmpi_ranks && rckmpi_core(rank) != core)
        rank++;
    if (rank == rckmpi_ranks)
        return 0;
    rckmpi_section = section;
    peer->mine = rckmpi_mpb[rckmpi_my_core] + section * (size_t)rank;
    peer->theirs = rckmpi_mpb[core] + section * (size_t)rckmpi_my_rank;
    return 1;
}

static unsigned look(struct peer *peer)
{
    volatile struct metadata *meta = (volatile struct metadata *)peer->mine;

    peer->acknowledged = (uint16_t)meta->received;
    if (!peer->arrived && (uint16_t)meta->sent != peer->received) {
        peer->received = (uint16_t)meta->sent;
        peer->arrived = meta->bytes;
        peer->taken = 0;
    }
    return (peer->arrived ? RCKMPI_ARRIVED : 0) |
           (peer->acknowledged == peer->sent ? RCKMPI_FREE : 0);
}

/* The lines behind the first go first: the number of the message is stored
 * last. */
static size_t send_message(struct peer *peer, struct cursor *from, size_t total)
{
    size_t room = rckmpi_section - META;
    size_t bytes = total < room ? total : room;
    uint32_t head[HEAD / 4] = {0};
    volatile char *to = peer->theirs;

    rckmpi_gather(head, from, bytes < HEAD ? bytes : HEAD);
    if (bytes > HEAD)
        rckmpi_put_lines(to + LINE, from, (bytes - HEAD + LINE - 1) / LINE);
    put_words(to + META, head, HEAD / 4);
    volatile struct metadata *meta = (volatile struct metadata *)to;
    meta->bytes = bytes;
    meta->sent = ++peer->sent;
    push_wcb();
    return bytes;
}

static void receive(struct peer *peer, char *to, size_t bytes)
{
    scc_get(to, peer->mine + META + peer->taken, bytes);
    peer->taken += bytes;
    peer->arrived -= bytes;
    if (peer->arrived)
        return;
    ((volatile struct metadata *)peer->theirs)->received = peer->received;
    push_wcb();
}

const struct channel rckmpi_original = {
    .name = "original",
    .connect = connect_section,
    .look = look,
    .send = send_message,
    .receive = receive,
};
