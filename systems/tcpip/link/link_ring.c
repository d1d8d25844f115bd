/*
 * link_ring.c: records into a receiver's buffer, and out of the own one.
 *
 * Blocks are whole lines in one piece. A sender takes its block under the
 * receiver's lock, fills it without, and then describes it: so several
 * senders fill at once, and the receiver takes records in the order of their
 * blocks. A description is one word: first line, bytes, sender, kind.
 */
#include "link.h"

#include <errno.h>

#define LINE SCC_LINE_SIZE
#define THERE 0x80000000u

typedef uint32_t any_word __attribute__((aligned(1), may_alias));
typedef volatile uint32_t buffer_word __attribute__((may_alias));

static uint32_t next; /* number of the next record to be taken */
static uint32_t line_behind;
static uint64_t wanting; /* ranks whose buffer had no room */

static void enter(int rank)
{
    int core = tcpip_link_core(rank);

    scc_guard_take(scc_lock_of(core), core);
}

static void leave(int rank)
{
    int core = tcpip_link_core(rank);

    scc_guard_give(scc_lock_of(core), core);
}

/* The first line of a block for so many lines; -1 if there is none. */
static int place_for(uint32_t given, uint32_t taken, uint32_t lines)
{
    uint32_t all = tcpip_link_variant->bytes / LINE;
    uint32_t end = given & 0xffff, begin = taken & 0xffff;

    if (given >> 16 == taken >> 16)
        return lines <= all - end ? (int)end : 0;
    if (begin == all)
        begin = 0;
    if (end > begin) {
        if (lines <= all - end)
            return (int)end;
        end = 0;
    }
    return lines <= begin - end ? (int)end : -1;
}

static uint32_t records_between(uint32_t given, uint32_t taken)
{
    return ((given >> 16) - (taken >> 16)) & 0xffff;
}

/* A block of the buffer; -1: no room. `*number` is that of its record. */
static int take_block(int rank, enum kind kind, uint32_t lines,
                      uint32_t *number)
{
    volatile struct board *board = tcpip_link_board(rank);
    uint32_t given, taken;
    int place = -1;

    enter(rank);
    given = board->given;
    taken = board->taken;
    if (kind == KIND_END)
        place = (int)(given & 0xffff);
    else if (records_between(given, taken) < MOST_RECORDS)
        place = place_for(given, taken, lines);
    if (place >= 0) {
        *number = given >> 16;
        board->given = (*number + 1) << 16 | ((uint32_t)place + lines);
    }
    leave(rank);
    return place;
}

static void put_words(buffer_word *to, const any_word *from, size_t words)
{
    while (words-- > 0)
        *to++ = *from++;
}

/* Parts one behind the other; words that two parts share are put together. */
static void fill(volatile uint8_t *to, const struct iovec *parts, int count)
{
    uint8_t word[4];
    size_t have = 0;

    for (; count > 0; parts++, count--) {
        const uint8_t *from = parts->iov_base;
        size_t left = parts->iov_len;

        while (left > 0 && (have > 0 || left < 4)) {
            word[have++] = *from++;
            left--;
            if (have == 4) {
                put_words((buffer_word *)to, (const any_word *)word, 1);
                to += 4;
                have = 0;
            }
        }
        put_words((buffer_word *)to, (const any_word *)from, left / 4);
        to += left & ~(size_t)3;
        for (from += left & ~(size_t)3, left &= 3; left > 0; left--)
            word[have++] = *from++;
    }
    if (have > 0)
        put_words((buffer_word *)to, (const any_word *)word, 1);
}

/* A receiver that has made room wakes who wanted some. */
static void want(int rank)
{
    volatile struct board *board = tcpip_link_board(rank);

    wanting |= 1ull << rank;
    enter(rank);
    board->wants[tcpip_link_my_rank / 32] |= 1u << tcpip_link_my_rank % 32;
    leave(rank);
}

int tcpip_link_put(int rank, enum kind kind, const struct iovec *parts,
                   int count)
{
    uint32_t number, bytes = 0;
    int place;

    for (int n = 0; n < count; n++)
        bytes += parts[n].iov_len;
    if (tcpip_link_ended(rank))
        return -EHOSTDOWN;
    place = take_block(rank, kind, (bytes + LINE - 1) / LINE, &number);
    if (place < 0) {
        tcpip_link_counts.full++;
        want(rank);
        /* Room made before this was wanted wakes nobody. */
        place = take_block(rank, kind, (bytes + LINE - 1) / LINE, &number);
    }
    if (place < 0)
        return -EAGAIN;
    if (bytes > 0) {
        fill(tcpip_link_buffer(rank) + (uint32_t)place * LINE, parts, count);
        tcpip_link_push();
    }
    tcpip_link_board(rank)->record[number % RECORDS] =
        THERE | (uint32_t)kind << 29 | (uint32_t)tcpip_link_my_rank << 23 |
        bytes << 9 | (uint32_t)place;
    tcpip_link_counts.sent++;
    tcpip_link_wake(rank);
    return 0;
}

int tcpip_link_look(struct record *record)
{
    uint32_t word =
        tcpip_link_board(tcpip_link_my_rank)->record[next % RECORDS];
    uint32_t place = word & 0x1ff;

    if (!word)
        return 0;
    record->kind = word >> 29 & 3;
    record->rank = (int)(word >> 23 & 63);
    record->bytes = word >> 9 & 0x3fff;
    record->data = tcpip_link_buffer(tcpip_link_my_rank) + place * LINE;
    line_behind = place + (uint32_t)(record->bytes + LINE - 1) / LINE;
    scc_cl1invmb(); /* L1 may have what was in these lines before */
    return 1;
}

void tcpip_link_taken(void)
{
    volatile struct board *board = tcpip_link_board(tcpip_link_my_rank);
    uint32_t wants[2];

    board->record[next++ % RECORDS] = 0;
    board->taken = next << 16 | line_behind;
    tcpip_link_counts.received++;
    for (int n = 0; n <= (tcpip_link_ranks - 1) / 32; n++) {
        if (!board->wants[n])
            continue;
        enter(tcpip_link_my_rank);
        wants[n] = board->wants[n];
        board->wants[n] = 0;
        leave(tcpip_link_my_rank);
        for (int rank = 0; rank < 32; rank++)
            if (wants[n] >> rank & 1)
                tcpip_link_wake(32 * n + rank);
    }
}

uint64_t tcpip_link_wants(void)
{
    return wanting;
}

uint64_t tcpip_link_wanting(void)
{
    uint64_t ranks = wanting;

    wanting = 0;
    return ranks;
}

int tcpip_link_room(int rank)
{
    volatile struct board *board = tcpip_link_board(rank);
    uint32_t lines = (uint32_t)tcpip_link_most() / LINE, given = board->given;

    if (tcpip_link_ended(rank))
        return 1;
    for (int tries = 0; tries < 2; tries++) {
        uint32_t taken = board->taken;

        if (records_between(given, taken) < MOST_RECORDS &&
            place_for(given, taken, lines) >= 0)
            return 1;
        if (tries == 0)
            want(rank);
    }
    return 0;
}
