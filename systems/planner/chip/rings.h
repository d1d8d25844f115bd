/* Messages through rings in shared memory, on guest/scc, without a message
 * library. */
#ifndef PLANNER_CHIP_RINGS_H
#define PLANNER_CHIP_RINGS_H

#include <vector>

#include "share/transport.h"

namespace planner
{
/* For each pair of ranks there is a ring in the memory behind the receiver's
 * memory controller. The receiver's message buffer holds how many messages were
 * written into the ring, the sender's message buffer how many were taken: each
 * polls only its own tile. A sender goes on as long as the ring has room. A
 * rank without work waits at one place: its bell, one word that all senders
 * change. */
class Rings : public Transport
{
  public:
    Rings();

    int rank() const override
    {
        return rank_;
    }
    int ranks() const override
    {
        return ranks_;
    }
    void open(size_t bytes) override;
    bool send(int to, const void *message) override;
    bool take(int &from, void *message) override;
    void rest() override;
    void beat() override;
    void close() override;
    uint64_t now() const override;
    uint64_t shared_now() const override;

  private:
    struct Peer {
        uint32_t sent = 0, taken = 0; /* numbers of messages */
        uint32_t written = 0;         /* by the peer, at the last check */
        uint64_t stalled_ns = 0;      /* when a beat was new; 0: has room */
        uint32_t beats = 0;           /* as seen then */
        volatile char *to = nullptr, *from = nullptr;
    };
    int rank_, ranks_;
    size_t bytes_ = 0;
    uint32_t slots_ = 0;
    std::vector<Peer> peers_;
    volatile char *shared_ = nullptr;
    int at_ = 0;         /* the next peer to serve */
    uint32_t there_ = 0; /* messages that were seen and not taken */
    uint32_t rung_ = 0;  /* times that this rank has rung */
    uint32_t heard_ = 0; /* the bell at the last check */
    uint32_t beats_ = 0;

    volatile char *ring(int to, int from) const;
    bool look();
    void look_after(int to);
};
} // namespace planner

#endif
