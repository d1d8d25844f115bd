/* One rank of a job: searches its part of the states, and responds to the
 * leader. */
#ifndef PLANNER_ANSWER_MEMBER_H
#define PLANNER_ANSWER_MEMBER_H

#include <memory>

#include "answer/leader.h"
#include "idle/idle.h"
#include "search/search.h"
#include "share/owners.h"

namespace planner
{
class Member
{
  public:
    using Clock = std::function<uint64_t()>;

    /* `transport`: null if there is one rank; `most_memory`: bytes for nodes;
     * `clock`: nanoseconds; `trace`: null for none; `publish`: called on rank 0
     * for each plan. */
    Member(const Tables &tables, Options options, Sharing sharing,
           Limits limits, Transport *transport, uint64_t most_memory,
           Clock clock, Trace *trace, Publish publish);

    /* Searches until the job ends on all ranks. Returns the outcome on rank 0,
     * an empty one on other ranks. */
    Outcome run();

  private:
    /* Kept when a state is sent to another rank: its parent and actions here, by
     * which a plan is traced back through this rank. */
    struct Record {
        NodeId parent;
        uint32_t steps, count; /* as numbers of the search's nodes */
    };
    States states_;
    Memory memory_;
    Courier courier_;
    Owner owner_;
    Search search_;
    Idle idle_;
    Clock clock_;
    uint64_t began_;
    uint64_t limit_; /* ns */
    Pool<Record> records_;
    std::unique_ptr<Leader> leader_; /* only on rank 0 */
    Message out_, in_;
    Child child_; /* the last one that came from another rank */
    bool halted_ = false, ended_ = false, over_ = false;
    bool is_waiting_ = false;
    bool is_fed_ = false; /* it has had work */
    uint64_t waiting_since_ = 0, waited_ = 0, unfed_ = 0, searched_ = 0;
    uint32_t batch_, until_flush_; /* expansions */

    uint64_t now() const
    {
        return clock_() - began_;
    }
    void begin();
    void serve();
    void heed();
    void take(const Message &message, int from);
    void work();
    void take_state(const Message &message, int from);
    void expand();
    bool keep(const Child &child);
    bool send_away(const Child &child);
    void send_child(const Child &child, int owner);
    void answer(const Message &question);
    bool is_over();
    void wait();
    void rest();
    void stop_waiting();
    void begin_work();
    void halt();
    void report_full();
    void send_statistics();
};
} // namespace planner

#endif
