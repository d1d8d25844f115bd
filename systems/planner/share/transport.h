/* The interface to a way of sending messages of one size between the ranks of
 * a job. */
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
    /* Called once, by all ranks with an equal number: the size of a message in
     * bytes. */
    virtual void open(size_t bytes) = 0;
    /* Sends a message; false if there is no room for another message to that
     * rank now. */
    virtual bool send(int to, const void *message) = 0;
    /* Sends what waits here for company and is for that rank; false if there is
     * no room for it now. */
    virtual bool flush(int)
    {
        return true;
    }
    /* Takes the next message, and the rank that sent it; false if none has
     * arrived. Messages of one rank arrive in the order in which they were
     * sent. */
    virtual bool take(int &from, void *message) = 0;
    /* Waits until a message may have arrived since the last call of take. */
    virtual void rest() = 0;
    /* A sign of life for ranks that wait for room; called often. */
    virtual void beat()
    {
    }
    /* All ranks call it when they will neither send nor take any more. */
    virtual void close() = 0;
    /* Nanoseconds of this rank's clock. */
    virtual uint64_t now() const = 0;
    /* Nanoseconds of a clock that all ranks share; a call costs more than
     * now(). */
    virtual uint64_t shared_now() const = 0;
};
} // namespace planner

#endif
