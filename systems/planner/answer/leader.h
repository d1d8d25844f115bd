/* Rank 0's part: ends the search, and puts plans together from the pieces that
 * stay where they were computed. */
#ifndef PLANNER_ANSWER_LEADER_H
#define PLANNER_ANSWER_LEADER_H

#include "answer/outcome.h"
#include "share/courier.h"

namespace planner
{
class Leader
{
  public:
    Leader(Courier &courier, Limits limits, const Tables &tables,
           Publish publish);

    /* Messages to the leader; false: this one is none. */
    bool take(const Message &message, int from, uint64_t now);
    /* Nobody has a node, and none is under way. */
    void exhausted();
    void look_at_clock(uint64_t now);
    bool is_done() const
    {
        return missing_ == 0;
    }
    Outcome &outcome()
    {
        return outcome_;
    }

  private:
    struct Place {
        int rank;
        uint32_t number;
    };
    Courier &courier_;
    Limits limits_;
    const Tables &tables_;
    Publish publish_;
    Outcome outcome_;
    Plan plan_;            /* that is put together, its last action first */
    bool tracing_ = false; /* a plan is put together */
    bool waits_ = false;   /* another one is to be put together then */
    Place next_{};
    uint32_t best_ = UINT32_MAX;
    bool halted_ = false, ended_ = false;
    int missing_; /* ranks whose statistics have not come */

    void found(const Message &message, int from);
    void steps(const Message &message, uint64_t now);
    void ask(int rank, uint32_t number, bool is_record);
    void trace_next();
    void finish_plan(uint64_t now);
    void halt(End end);
    void end_if_traced();
    void broadcast(Kind kind, uint32_t cost);
};
} // namespace planner

#endif
