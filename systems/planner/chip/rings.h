/* Messages through rings in shared memory, on guest/scc: what needs no library
 * of messages. */
#ifndef PLANNER_CHIP_RINGS_H
#define PLANNER_CHIP_RINGS_H

#include <vector>

#include "share/transport.h"

namespace planner
{
/*
 * Each pair of ranks has a ring near the receiver's memory controller. How many
 * messages were written stands in the receiver's message buffer, how many were
 * taken in the sender's: whoever asks reads its own tile, and a sender never
 * waits until the receiver looks. A full ring is what bounds messages under way.
 * A bell, one word for all senders, lets a rank without work wait at one place.
 */
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
    void close() override;
    uint64_t now() const override;
    uint64_t shared_now() const override;

  private:
    struct Peer {
        uint32_t sent = 0, taken = 0; /* messages */
        uint32_t written = 0;         /* by the peer, at the last look */
        volatile char *to = nullptr, *from = nullptr;
    };
    int rank_, ranks_;
    size_t bytes_ = 0;
    uint32_t slots_ = 0;
    std::vector<Peer> peers_;
    volatile char *shared_ = nullptr;
    int at_ = 0;         /* the peer whose turn it is */
    uint32_t rung_ = 0;  /* how often this rank has rung */
    uint32_t heard_ = 0; /* the bell at the last look */

    volatile char *ring(int to, int from) const;
    void look();
};
} // namespace planner

#endif
