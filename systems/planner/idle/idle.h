/* Whether no rank has a node and no state is under way: the detection that the
 * published planner had not. */
#ifndef PLANNER_IDLE_IDLE_H
#define PLANNER_IDLE_IDLE_H

#include "share/courier.h"

namespace planner
{
/*
 * A token goes round the ranks and sums up how many states each has sent and
 * taken [mattern-1987]. A rank keeps it until it is idle. When two rounds, one
 * behind the other, have one sum, and as many were taken as sent, nothing was
 * under way between them, and nobody had anything to do.
 */
class Idle
{
  public:
    explicit Idle(Courier &courier)
        : courier_(courier), token_(courier.message())
    {
    }

    /* The token has come. */
    void take(const Message &token);
    /* This rank is idle: passes the token on if it has it. True, on rank 0
     * alone: all ranks are. */
    bool pass();

  private:
    Courier &courier_;
    Message token_;
    bool has_ = false, started_ = false;
    uint64_t sent_before_ = UINT64_MAX;
};
} // namespace planner

#endif
