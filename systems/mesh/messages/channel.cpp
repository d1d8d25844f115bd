/*
 * channel.cpp: lines of message buffers.
 *
 * Each core has slots for lines from each other core in its message buffer.
 * A sender writes a line, which leaves its write-combine buffer as one packet,
 * and then its bell, a byte with the line's number. The bells of the first 31
 * cores are in one line, so a core that waits asks its buffer for one line a
 * round. The others have a second line, and ring the last byte of the first
 * one besides. Bells and receipts are written uncached, because a byte would
 * stay in the write-combine buffer.
 *
 * The receiver writes a receipt, the number of the last line that it took,
 * after each half of the slots. Whoever finds no free slot keeps the line and
 * tries again in later polls: nobody waits for room, so no two cores do for
 * each other.
 */
#include "mesh_private.h"

#include <cstring>
#include <deque>
#include <vector>

#include "RCCE_lib.h"
#include "scc/cache.h"
#include "scc/memory_map.h"

namespace mesh
{
namespace detail
{
namespace
{
constexpr size_t LINE = SCC_LINE_SIZE;
constexpr int NEAR = LINE - 1; /* cores with bells in the first line */
/* Slots may take so many of the 255 lines of a buffer. */
constexpr unsigned SLOT_LINES = 224, MOST_SLOTS = 32;

/* The first word: number, tag, bytes of the message (2). Where a message goes
 * on, only the number counts, and its bytes begin at the second word. */
struct Line {
    uint32_t head;
    uint32_t words[WORDS - 1];
};
static_assert(sizeof(Line) == LINE, "a line of a message buffer");
constexpr size_t MORE = sizeof Line::words;

/* What this core knows of another one: one line of its cache. */
struct alignas(LINE) Peer {
    volatile uint32_t *slots;  /* for this core's lines, in its buffer */
    volatile uint8_t *bells;   /* there */
    volatile uint8_t *receipt; /* there: what this core took of its lines */
    volatile uint32_t *lines;  /* its lines, in this core's buffer */
    uint32_t kept = 0;         /* lines that found no slot */
    /* Numbers of lines, of which a byte travels: the last one sent, the last
     * receipt seen, the last one that came from there. */
    uint32_t sent = 0, taken = 0, received = 0;
};

Peer peers[RCCE_MAXNP];
std::deque<Line> kept[RCCE_MAXNP];
struct {
    Line first;
    std::vector<uint8_t> bytes; /* empty: no message has come in part */
} parts[RCCE_MAXNP];
bool in_parts; /* of anybody, since the start */
volatile uint32_t *bells_here;
volatile uint8_t *receipts_here;
uint32_t bells_seen[2 * WORDS];
int my_bell;
unsigned slot_mask; /* slots a pair, a power of two, less one */
size_t kept_lines;
int depth;
Traffic counted;

unsigned tag_of(const Line &line)
{
    return line.head >> 8 & 0xFF;
}

uint32_t is_counted(uint32_t head)
{
    return ~head >> 15 & 1; /* UNCOUNTED of the tag */
}

unsigned bytes_of(const Line &line)
{
    return line.head >> 16;
}

void deliver(int from, const Line &line, const void *payload)
{
    counted.received += is_counted(line.head);
    depth++;
    reinterpret_cast<Handler>(line.words[0])(
        Message{from, tag_of(line), bytes_of(line), payload});
    depth--;
}

/* The next part of a message of several lines. */
void collect(int from, const Line &line)
{
    auto &[first, bytes] = parts[from];

    if (bytes.empty()) {
        auto *begin = reinterpret_cast<const uint8_t *>(&line.words[1]);

        first = line;
        bytes.assign(begin, begin + INLINE_BYTES);
        in_parts = true;
        return;
    }
    auto *more = reinterpret_cast<const uint8_t *>(line.words);
    bytes.insert(bytes.end(), more, more + MORE);
    if (bytes.size() < bytes_of(first))
        return;
    /* The handler may poll, and then the next message arrives. */
    std::vector<uint8_t> whole = std::move(bytes);
    Line head = first;
    bytes.clear();
    deliver(from, head, whole.data());
}

bool is_part(int from, const Line &line)
{
    return bytes_of(line) > INLINE_BYTES ||
           (in_parts && !parts[from].bytes.empty());
}

/* The next line of a core, if it is there. */
bool receive(int from)
{
    Peer &peer = peers[from];
    uint32_t next = peer.received + 1;
    const volatile uint32_t *slot = peer.lines + (next & slot_mask) * WORDS;
    Line line;

    line.head = slot[0];
    if ((line.head ^ next) & 0xFF)
        return false;
    for (size_t word = 1; word < WORDS; word++)
        line.words[word - 1] = slot[word];
    peer.received = next;
    if (!(next & slot_mask >> 1))
        *peer.receipt = (uint8_t)next;
    if (is_part(from, line))
        collect(from, line);
    else
        deliver(from, line, &line.words[1]);
    return true;
}

/* Another value than the last of this core and than those of others, as long
 * as no more lines are under way than there are slots. */
inline uint8_t far_ring(uint32_t number)
{
    constexpr unsigned VALUES = 8;

    return (uint8_t)((unsigned)(my_bell - NEAR) * VALUES + number % VALUES);
}

/* All of the line: then it leaves the write-combine buffer. */
inline void put(Peer &peer, uint32_t head, uint32_t second,
                const uint32_t *others)
{
    uint32_t number = ++peer.sent;
    volatile uint32_t *slot = peer.slots + (number & slot_mask) * WORDS;

    slot[0] = head | (number & 0xFF);
    slot[1] = second;
    for (size_t word = 2; word < WORDS; word++)
        slot[word] = others[word - 2];
    peer.bells[my_bell] = (uint8_t)number;
    if (my_bell > NEAR)
        peer.bells[NEAR] = far_ring(number);
}

/* The receipt's byte, put to what was known, gives the whole number. */
bool find_slot(Peer &peer)
{
    scc_cl1invmb();
    peer.taken += (receipts_here[&peer - peers] - peer.taken) & 0xFF;
    return peer.sent - peer.taken <= slot_mask;
}

inline bool has_slot(Peer &peer)
{
    return peer.sent - peer.taken <= slot_mask || find_slot(peer);
}

inline void post(int to, uint32_t head, uint32_t second, const uint32_t *others)
{
    Peer &peer = peers[to];

    if (!peer.kept && has_slot(peer)) {
        put(peer, head, second, others);
        return;
    }
    Line line{head, {second}};

    memcpy(&line.words[1], others, INLINE_BYTES);
    kept[to].push_back(line);
    peer.kept++;
    kept_lines++;
}

void send_kept()
{
    for (int to = 0; to < rank_count; to++)
        while (peers[to].kept && has_slot(peers[to])) {
            const Line &line = kept[to].front();

            put(peers[to], line.head, line.words[0], &line.words[1]);
            kept[to].pop_front();
            peers[to].kept--;
            kept_lines--;
        }
}

void post_rest(int to, const uint8_t *rest, size_t bytes)
{
    while (bytes) {
        uint32_t words[WORDS - 1] = {};
        size_t part = bytes < MORE ? bytes : MORE;

        memcpy(words, rest, part);
        post(to, 0, words[0], &words[1]);
        rest += part;
        bytes -= part;
    }
}

void answer_far_bells();

/* Four bells, of which some rang. A bell has the number of the last line. */
void answer_bells(size_t word, uint32_t rung)
{
    uint32_t changed = rung ^ bells_seen[word];

    bells_seen[word] = rung;
    for (int bell = 4 * (int)word; changed; bell++) {
        if (changed & 0xFF && bell == NEAR)
            answer_far_bells();
        else if (changed & 0xFF)
            while ((peers[bell - (bell > NEAR)].received ^ rung) & 0xFF &&
                   receive(bell - (bell > NEAR)))
                ;
        changed >>= 8;
        rung >>= 8;
    }
}

void answer_far_bells()
{
    for (size_t word = WORDS; word < 2 * WORDS; word++)
        if (bells_here[word] != bells_seen[word])
            answer_bells(word, bells_here[word]);
}

void open_peer(int rank, size_t slots, size_t bells, size_t receipts)
{
    Peer &peer = peers[rank];
    auto *cached = RCCE_comm_buffer[rank] - LINE;
    size_t pair = (slot_mask + 1) * LINE;
    auto *uncached = static_cast<volatile uint8_t *>(map_memory(
        SCC_UNCACHED, 0, scc_mpb_of(core_of[rank]), SCC_MPB_SIZE_PER_CORE));

    peer.slots = reinterpret_cast<volatile uint32_t *>(
        cached + slots + (unsigned)my_rank * pair);
    peer.lines = reinterpret_cast<volatile uint32_t *>(
        RCCE_comm_buffer[my_rank] - LINE + slots + (unsigned)rank * pair);
    peer.bells = uncached + bells;
    peer.receipt = uncached + receipts + my_rank;
}

t_vcharp take_buffer(size_t bytes)
{
    t_vcharp taken = RCCE_malloc(bytes);

    if (!taken)
        fail("MESH takes the message buffers: use no RCCE_malloc besides",
             "no %zu bytes of message buffer are left", bytes);
    for (size_t at = 0; at < bytes; at++)
        taken[at] = 0;
    RCCE_fence();
    return taken;
}
} // namespace

void open_channels()
{
    size_t row = (size_t)(rank_count + (int)LINE - 1) / LINE * LINE;

    unsigned slots_a_pair = MOST_SLOTS;

    while (slots_a_pair * (unsigned)rank_count > SLOT_LINES)
        slots_a_pair /= 2;
    slot_mask = slots_a_pair - 1;
    my_bell = my_rank + (my_rank >= NEAR);
    t_vcharp here = RCCE_comm_buffer[my_rank] - LINE;
    t_vcharp slots = take_buffer(slots_a_pair * (unsigned)rank_count * LINE);
    t_vcharp bells = take_buffer(2 * LINE);
    t_vcharp receipts = take_buffer(row);

    bells_here = reinterpret_cast<volatile uint32_t *>(bells);
    receipts_here = receipts;
    for (int rank = 0; rank < rank_count; rank++)
        open_peer(rank, (size_t)(slots - here), (size_t)(bells - here),
                  (size_t)(receipts - here));
}

Traffic traffic()
{
    return counted;
}

bool handling()
{
    return depth > 0;
}

void refuse_rank(int core)
{
    fail("UEs are numbered from 0; an ObjectPtr that was never assigned "
         "has none",
         "there is no UE %d among %d", core, rank_count);
}

void send_line(int to, Handler handler, const uint32_t *payload, uint32_t head)
{
    if (to == my_rank) {
        handler(Message{my_rank, head >> 8 & 0xFF, head >> 16, payload});
        return;
    }
    counted.sent += is_counted(head);
    post(to, head, reinterpret_cast<uintptr_t>(handler), payload);
}

void send(int to, Handler handler, const void *payload, size_t bytes,
          unsigned tag)
{
    uint32_t begin[INLINE_BYTES / sizeof(uint32_t)];

    if (to == my_rank) {
        handler(Message{my_rank, tag, bytes, payload});
        return;
    }
    memcpy(begin, payload, INLINE_BYTES);
    send_line(to, handler, begin, head_of(bytes, tag));
    post_rest(to, static_cast<const uint8_t *>(payload) + INLINE_BYTES,
              bytes - INLINE_BYTES);
}
} // namespace detail

bool poll()
{
    using namespace detail;
    bool any = false;

    if (kept_lines)
        send_kept();
    /* What the core had of its buffer is old. */
    scc_cl1invmb();
    /* Eight branches that are not taken are what a core that waits does. */
#pragma unroll
    for (size_t word = 0; word < WORDS; word++) {
        uint32_t rung = bells_here[word];

        if (rung != bells_seen[word]) {
            any = true;
            answer_bells(word, rung);
        }
    }
    return any;
}
} // namespace mesh
