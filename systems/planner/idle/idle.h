/* Detects that the search has ended everywhere: no rank has a node to expand,
 * and no state is on its way. The published planner did not detect this. */
#ifndef PLANNER_IDLE_IDLE_H
#define PLANNER_IDLE_IDLE_H

#include "share/courier.h"

namespace planner
{
/* A token passes from rank to rank and sums up how many states each rank has
 * sent and received [mattern-1987]. A rank keeps the token until it is idle.
 * If two successive rounds give equal sums, and as many states were received
 * as sent, no state was on its way between the rounds, and no rank had work.
 */
class Idle
{
  public:
    explicit Idle(Courier &courier)
        : courier_(courier), token_(courier.message())
    {
    }

    /* Handles the token, which has arrived from the rank before. */
    void take(const Message &token);
    /* Call when this rank is idle: passes the token on if this rank has it.
     * Returns true, on rank 0 only, if all ranks are idle. */
    bool pass();

  private:
    Courier &courier_;
    Message token_;
    bool has_ = false, started_ = false;
    uint64_t sent_before_ = UINT64_MAX;
};
} // namespace planner

#endif
