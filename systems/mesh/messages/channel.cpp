/*
 * channel.cpp: lines of message buffers.
 *
 * Each core has slots for lines from each other core in its message buffer.
 * A sender writes a line, which leaves its write-combine buffer as one packet,
 * and then its bell: a byte of one line that has a bell for each sender. So a
 * core that waits asks its buffer for one line a round. With more than 32
 * cores two senders share a bell, one with even and one with odd numbers; the
 * line says whether it is the next one. Bells and receipts are written
 * uncached, because a byte would stay in the write-combine buffer.
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
constexpr size_t WORDS = LINE / sizeof(uint32_t);
constexpr int BELLS = LINE; /* one line of them */
/* Of the 255 lines of a buffer, those that slots may take. */
constexpr unsigned SLOT_LINES = 224, MOST_SLOTS = 32;

struct Line {
    uint8_t sequence;
    uint8_t tag;
    uint16_t bytes;  /* of the message; 0 also where it goes on */
    Handler handler; /* where it goes on, its bytes begin here */
    uint8_t payload[24];
};
static_assert(sizeof(Line) == LINE, "a line of a message buffer");
constexpr size_t MORE = LINE - offsetof(Line, handler);

/* What this core knows of another one. */
struct Peer {
    volatile uint32_t *slots;  /* for this core's lines, in its buffer */
    volatile uint8_t *bell;    /* there, for this core */
    volatile uint8_t *receipt; /* there: what this core took of its lines */
    uint8_t sent = 0;          /* numbers of lines: the last one sent, */
    uint8_t taken = 0;         /* the last receipt seen, */
    uint8_t received = 0;      /* the last one that came from there */
    std::deque<Line> kept;     /* that found no slot */
    /* A message of several lines that has not come whole. */
    Line first;
    std::vector<uint8_t> parts;
};

Peer peers[RCCE_MAXNP];
volatile uint32_t *slots_here, *bells_here;
volatile uint8_t *receipts_here;
uint32_t bells_seen[WORDS];
unsigned slot_count;
size_t kept_lines;
int depth;
Traffic counted;

void deliver(int from, const Line &line, const void *payload)
{
    counted.received += !(line.tag & UNCOUNTED);
    depth++;
    line.handler(Message{from, line.tag, line.bytes, payload});
    depth--;
}

/* The next part of a message of several lines. */
void collect(int from, const Line &line)
{
    Peer &peer = peers[from];

    if (peer.parts.empty()) {
        peer.first = line;
        peer.parts.assign(line.payload, line.payload + sizeof line.payload);
        return;
    }
    auto *more = reinterpret_cast<const uint8_t *>(&line.handler);
    peer.parts.insert(peer.parts.end(), more, more + MORE);
    if (peer.parts.size() < peer.first.bytes)
        return;
    /* The handler may poll, and then the next message arrives. */
    std::vector<uint8_t> whole = std::move(peer.parts);
    Line first = peer.first;
    peer.parts.clear();
    deliver(from, first, whole.data());
}

/* The next line of a core, if it is there. */
bool receive(int from)
{
    Peer &peer = peers[from];
    uint8_t next = (uint8_t)(peer.received + 1);
    const volatile uint32_t *slot =
        slots_here + ((unsigned)from * slot_count + next % slot_count) * WORDS;
    union {
        uint32_t words[WORDS];
        Line line;
    } copy;

    copy.words[0] = slot[0];
    if (copy.line.sequence != next)
        return false;
    for (size_t word = 1; word < WORDS; word++)
        copy.words[word] = slot[word];
    peer.received = next;
    if (next % (slot_count / 2) == 0)
        *peer.receipt = next;
    if (peer.parts.empty() && copy.line.bytes <= sizeof copy.line.payload)
        deliver(from, copy.line, copy.line.payload);
    else
        collect(from, copy.line);
    return true;
}

void put(Peer &peer, Line &line)
{
    uint8_t number = ++peer.sent;
    volatile uint32_t *slot = peer.slots + number % slot_count * WORDS;
    const uint32_t *words = reinterpret_cast<const uint32_t *>(&line);

    line.sequence = number;
    __asm__ volatile("" ::: "memory");
    /* All of the line: then it leaves the write-combine buffer. */
    for (size_t word = 0; word < WORDS; word++)
        slot[word] = words[word];
    *peer.bell = (uint8_t)(number * 2 | (my_rank >= BELLS));
}

bool has_slot(Peer &peer)
{
    if ((uint8_t)(peer.sent - peer.taken) < slot_count)
        return true;
    scc_cl1invmb();
    peer.taken = receipts_here[&peer - peers];
    return (uint8_t)(peer.sent - peer.taken) < slot_count;
}

void post(Peer &peer, Line &line)
{
    if (peer.kept.empty() && has_slot(peer)) {
        put(peer, line);
    } else {
        peer.kept.push_back(line);
        kept_lines++;
    }
}

void send_kept()
{
    for (int rank = 0; rank < rank_count; rank++) {
        Peer &peer = peers[rank];

        while (!peer.kept.empty() && has_slot(peer)) {
            put(peer, peer.kept.front());
            peer.kept.pop_front();
            kept_lines--;
        }
    }
}

void post_rest(Peer &peer, const uint8_t *rest, size_t bytes)
{
    while (bytes) {
        Line line{};
        size_t part = bytes < MORE ? bytes : MORE;

        memcpy(&line.handler, rest, part);
        post(peer, line);
        rest += part;
        bytes -= part;
    }
}

/* Four bells, of which those in `changed` rang. */
void answer_bells(int word, uint32_t rung, uint32_t changed)
{
    bells_seen[word] = rung;
    for (int bell = 4 * word; changed; bell++, changed >>= 8)
        if (changed & 0xFF)
            for (int from = bell; from < rank_count; from += BELLS)
                while (receive(from))
                    ;
}

void open_peer(int rank, size_t slots, size_t bells, size_t receipts)
{
    Peer &peer = peers[rank];
    auto *cached = RCCE_comm_buffer[rank] - LINE;
    uint32_t core = (uint32_t)core_of[rank];
    auto *uncached = static_cast<volatile uint8_t *>(map_device(
        "/dev/rckncm", 0,
        SCC_MPB_BASE + (core / 2 << 24) + core % 2 * SCC_MPB_SIZE_PER_CORE,
        SCC_MPB_SIZE_PER_CORE));

    peer.slots = reinterpret_cast<volatile uint32_t *>(
        cached + slots + (unsigned)my_rank * slot_count * LINE);
    peer.bell = uncached + bells + my_rank % BELLS;
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

    slot_count = MOST_SLOTS;
    while (slot_count * (unsigned)rank_count > SLOT_LINES)
        slot_count /= 2;
    t_vcharp here = RCCE_comm_buffer[my_rank] - LINE;
    t_vcharp slots = take_buffer(slot_count * (unsigned)rank_count * LINE);
    t_vcharp bells = take_buffer(LINE);
    t_vcharp receipts = take_buffer(row);

    slots_here = reinterpret_cast<volatile uint32_t *>(slots);
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

void check_rank(int core, const char *call)
{
    if (core < 0 || core >= rank_count)
        fail("UEs are numbered from 0; an ObjectPtr that was never assigned "
             "has none",
             "%s: there is no UE %d among %d", call, core, rank_count);
}

void send(int to, Handler handler, const void *payload, size_t bytes,
          unsigned tag)
{
    if (to == my_rank) {
        handler(Message{my_rank, tag, bytes, payload});
        return;
    }
    Peer &peer = peers[to];
    Line line;
    size_t here = bytes < sizeof line.payload ? bytes : sizeof line.payload;

    line.tag = (uint8_t)tag;
    line.bytes = (uint16_t)bytes;
    line.handler = handler;
    memcpy(line.payload, payload, here);
    counted.sent += !(tag & UNCOUNTED);
    post(peer, line);
    if (bytes > here)
        post_rest(peer, static_cast<const uint8_t *>(payload) + here,
                  bytes - here);
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
    for (int word = 0; word < (int)WORDS; word++) {
        uint32_t rung = bells_here[word];
        uint32_t changed = rung ^ bells_seen[word];

        if (changed) {
            any = true;
            answer_bells(word, rung, changed);
        }
    }
    return any;
}
} // namespace mesh
