/*
 * rings.cpp: the only part of the planner that knows the chip.
 *
 * Rings are written and read as message memory (MPBT): whole lines, one packet
 * each, the count behind them.
 */
#include "chip/rings.h"

#include "scc/claim.h"
#include "scc/end.h"
#include "scc/job.h"
#include "scc/map.h"
#include "scc/mpb.h"
#include "scc/say.h"
#include "scc/time.h"

#define NAME "planner"

namespace planner
{
namespace
{
constexpr uint32_t RING = 16384; /* bytes */
/* Rings of 12 receivers behind each of the four controllers. */
constexpr uint32_t RECEIVERS = 12;
constexpr uint32_t SEGMENT = SCC_SHARED_SIZE / SCC_CONTROLLERS;
constexpr uint32_t RINGS_BYTES = RECEIVERS * SCC_CORES * RING;
constexpr uint32_t MOST_SLOTS = 64;
constexpr uint32_t DEAD = UINT32_MAX; /* as a count */
/* The FPGA's counter runs at 125 MHz [intel-eas]. */
constexpr uint64_t NS_A_TICK = 8;
/* A rank gives a sign of life before each state that it evaluates, which takes
 * some ms where problems are large. */
constexpr uint64_t PATIENCE_NS = 500000000;

/* Behind the line of each core's message buffer that drains. */
struct Control {
    uint32_t written[SCC_CORES]; /* by each sender */
    uint32_t taken[SCC_CORES];   /* by each receiver */
    uint32_t bell;
    uint32_t beats; /* a sign of life of this core */
    uint32_t unused[6];
};
constexpr uint32_t FIRST_LINE = 1;
constexpr uint32_t LINES = sizeof(Control) / SCC_LINE_SIZE;

const struct scc_job *job;
volatile Control *control[SCC_CORES]; /* by rank, uncached */
volatile Control *own;                /* by lines */

void *map(scc_memory memory, uint32_t physical, size_t bytes)
{
    void *mapped = scc_map(memory, physical, bytes);

    if (!mapped)
        scc_fail(NAME, "run it by `rck run` or `rck plan`",
                 "cannot map %zu bytes of physical 0x%08x", bytes,
                 (unsigned)physical);
    return mapped;
}

void last_words()
{
    for (int rank = 0; rank < job->ranks; rank++)
        if (rank != job->rank) {
            control[rank]->written[job->rank] = DEAD;
            control[rank]->bell = DEAD;
        }
}

void died(int)
{
    last_words();
}
} // namespace

Rings::Rings()
{
    job = scc_job_on_the_scc(NAME);
    rank_ = job->rank;
    ranks_ = job->ranks;
}

volatile char *Rings::ring(int to, int from) const
{
    int core = job->core_of[to];
    int nth = scc_column_of(core) % 3 * 2 + scc_half_of(core) +
              scc_row_of(core) % 2 * 6;

    return shared_ + (uint32_t)scc_controller_of(core) * SEGMENT +
           ((uint32_t)nth * SCC_CORES + (uint32_t)job->core_of[from]) * RING;
}

void Rings::open(size_t bytes)
{
    bytes_ = bytes;
    slots_ = RING / (uint32_t)bytes;
    slots_ = slots_ < MOST_SLOTS ? slots_ : MOST_SLOTS;
    if (!slots_)
        scc_fail(NAME, "send fewer states at once (--batch), or one",
                 "a message of %zu bytes has no place in %u bytes", bytes,
                 (unsigned)RING);
    peers_.resize((size_t)ranks_);
    scc_claim(SCC_MPB_LINE, SCC_TOGETHER, 0, 1, NAME);
    scc_claim(SCC_MPB_LINE, SCC_ALONE, FIRST_LINE, LINES, NAME);
    for (uint32_t n = 0; n < SCC_CONTROLLERS; n++)
        scc_claim(SCC_SHARED, SCC_ALONE, n * SEGMENT, RINGS_BYTES, NAME);
    shared_ = (volatile char *)map(SCC_MPBT, SCC_SHARED_BASE, SCC_SHARED_SIZE);
    for (int rank = 0; rank < ranks_; rank++) {
        uint32_t at = scc_mpb_of(job->core_of[rank]);
        uint32_t line = FIRST_LINE * SCC_LINE_SIZE;

        control[rank] =
            (volatile Control *)((char *)map(SCC_UNCACHED, at, SCC_PAGE) +
                                 line);
        if (rank == rank_)
            own = (volatile Control *)((char *)map(SCC_MPBT, at, SCC_PAGE) +
                                       line);
        peers_[(size_t)rank].to = ring(rank, rank_);
        peers_[(size_t)rank].from = ring(rank_, rank);
    }
    scc_guard(last_words, died);
}

bool Rings::send(int to, const void *message)
{
    Peer &peer = peers_[(size_t)to];

    /* A count that may be old makes the ring look fuller than it is. */
    if (peer.sent - own->taken[to] >= slots_) {
        scc_cl1invmb();
        if (peer.sent - own->taken[to] >= slots_) {
            look_after(to);
            return false;
        }
    }
    peer.stalled_ns = 0;
    scc_copy_lines(peer.to + peer.sent % slots_ * bytes_, message, bytes_);
    scc_push(scc_drain());
    control[to]->written[rank_] = ++peer.sent;
    /* Another value than before, whoever rang then. */
    control[to]->bell = ++rung_ << 6 | (uint32_t)rank_;
    return true;
}

/* A dead core never makes room: who waits for it would wait for ever. One that
 * has given no sign of life yet may still read and ground the problem. */
void Rings::look_after(int to)
{
    Peer &peer = peers_[(size_t)to];
    uint32_t beats = control[to]->beats;

    if (!beats || !peer.stalled_ns || beats != peer.beats) {
        peer.beats = beats;
        peer.stalled_ns = now() + 1;
    } else if (now() > peer.stalled_ns + PATIENCE_NS) {
        scc_fail(NAME, "see whether that core has died",
                 "rank %d (core %d) takes no messages and gives no sign of"
                 " life",
                 to, job->core_of[to]);
    }
}

void Rings::beat()
{
    control[rank_]->beats = ++beats_;
}

void Rings::rest()
{
    while (control[rank_]->bell == heard_)
        ;
}

/* False: nobody has written since the last look, since who writes rings. */
bool Rings::look()
{
    uint32_t bell = control[rank_]->bell;

    if (bell == heard_)
        return false;
    heard_ = bell;
    scc_cl1invmb();
    for (int rank = 0; rank < ranks_; rank++) {
        uint32_t written = own->written[rank];

        if (written == DEAD)
            scc_fail(NAME, "see what that core has said",
                     "rank %d (core %d) has ended in the middle of the search",
                     rank, job->core_of[rank]);
        there_ += written - peers_[(size_t)rank].written;
        peers_[(size_t)rank].written = written;
    }
    return there_ > 0;
}

bool Rings::take(int &from, void *message)
{
    if (!there_ && !look())
        return false;
    while (peers_[(size_t)at_].written == peers_[(size_t)at_].taken)
        at_ = at_ + 1 < ranks_ ? at_ + 1 : 0;
    Peer &peer = peers_[(size_t)at_];

    scc_get(message, peer.from + peer.taken % slots_ * bytes_, bytes_);
    control[at_]->taken[rank_] = ++peer.taken;
    there_--;
    from = at_;
    return true;
}

void Rings::close()
{
    scc_unguard(last_words);
}

uint64_t Rings::now() const
{
    return scc_now_ns();
}

uint64_t Rings::shared_now() const
{
    volatile uint32_t *fpga = scc_fpga(SCC_FPGA_TIMESTAMP_LOW);
    uint32_t high = fpga[1], low, again = high;

    do {
        high = again;
        low = fpga[0];
        again = fpga[1];
    } while (high != again);
    return ((uint64_t)high << 32 | low) * NS_A_TICK;
}
} // namespace planner
