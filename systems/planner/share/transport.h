/* Messages of one size between the ranks of a job: what a way of sending them
 * has to offer. */
#ifndef PLANNER_SHARE_TRANSPORT_H
#define PLANNER_SHARE_TRANSPORT_H

#include <cstddef>
#include <cstdint>

namespace planner
{
class Transport
{
  public:
    virtual ~Transport() = default;

    virtual int rank() const = 0;
    virtual int ranks() const = 0;
    /* Called once, by all ranks with the same number: the size of a message
     * in bytes. */
    virtual void open(size_t bytes) = 0;
    /* False: no room for another message to that rank now. */
    virtual bool send(int to, const void *message) = 0;
    /* False: none has come. Messages of one rank come in their order. */
    virtual bool take(int &from, void *message) = 0;
    /* Waits until a message may have come since the last take. */
    virtual void rest() = 0;
    /* All ranks call it when they send and take no more. */
    virtual void close() = 0;
    /* Nanoseconds by this rank's clock. */
    virtual uint64_t now() const = 0;
    /* Nanoseconds by a clock that all ranks share: it costs more. */
    virtual uint64_t shared_now() const = 0;
};
} // namespace planner

#endif
