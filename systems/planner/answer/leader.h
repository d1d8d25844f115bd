/* Rank 0's part: ends the search, and assembles plans from the pieces, which
 * stay on the ranks that computed them. */
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

    /* Handles a message if it is one for the leader; false if it is another
     * one. */
    bool take(const Message &message, int from, uint64_t now);
    /* Call when no rank has a node to expand and no state is on its way: the
     * search is over. */
    void exhausted();
    /* Halts the search if the limit is over; `now`: ns since the start. */
    void look_at_clock(uint64_t now);
    /* True when all ranks have sent their statistics. */
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
    Plan plan_;            /* being assembled, last action first */
    bool tracing_ = false; /* true while a plan is assembled */
    bool waits_ = false;   /* another one must follow it */
    Place next_{};
    uint32_t best_ = UINT32_MAX;
    bool halted_ = false, ended_ = false;
    int missing_; /* ranks without statistics so far */

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
