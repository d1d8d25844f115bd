/* h_add: the cost of each fact and each action from a state, if no action
 * deletes a fact and the costs of conditions are added up [bonet-2001]; every
 * action costs 1. */
#ifndef PLANNER_HADD_HADD_H
#define PLANNER_HADD_HADD_H

#include <cstdint>
#include <queue>
#include <utility>
#include <vector>

#include "ground/tables.h"
#include "state/state.h"

namespace planner
{
class Hadd
{
  public:
    static constexpr uint32_t NEVER = UINT32_MAX;
    /* The largest cost. In some problems sums grow exponentially; this limit
     * prevents overflows. */
    static constexpr uint32_t MOST = 1u << 24;
    static constexpr Action NONE = UINT32_MAX;

    explicit Hadd(const Tables &tables);

    /* Computes all costs from this state; the functions below return those of
     * the last call. */
    void compute(const Word *state);

    /* The sum of the goals' costs, at most MOST; NEVER if a goal cannot become
     * true; 0 if all are true. */
    uint32_t cost_of_goal() const;
    /* 0 if the fact is true; NEVER if it cannot become true. */
    uint32_t cost(Fact fact) const
    {
        return facts_[fact].cost;
    }
    /* The cheapest action that adds the fact; NONE if the fact is true
     * already or cannot become true. */
    Action best(Fact fact) const
    {
        return facts_[fact].best;
    }
    /* The sum of the costs of the action's conditions; NEVER if they cannot all
     * become true. */
    uint32_t cost_before(Action action) const
    {
        return actions_[action].missing ? NEVER : actions_[action].cost;
    }
    /* The actions whose conditions are true in the state. */
    const std::vector<Action> &applicable() const
    {
        return applicable_;
    }

  private:
    /* The number of buckets: while costs are computed, a fact with a cost below
     * this waits in a list for its cost, other facts in a heap. */
    static constexpr uint32_t BUCKETS = 2048;
    static constexpr uint16_t END = 0xFFFF;

    struct FactCost {
        uint32_t cost;
        Action best;
        uint16_t next, previous; /* neighbours in its list */
    };
    struct ActionCost {
        uint32_t cost;    /* sum over reached conditions */
        uint32_t missing; /* conditions not reached */
    };
    using Later = std::pair<uint32_t, Fact>;

    const Tables &tables_;
    std::vector<FactCost> facts_;
    std::vector<ActionCost> actions_, none_reached_;
    std::vector<uint16_t> first_; /* by cost */
    std::priority_queue<Later, std::vector<Later>, std::greater<Later>> later_;
    std::vector<Action> applicable_;
    std::vector<Fact> start_;
    size_t waiting_ = 0; /* facts in the lists */

    void settle(Fact fact);
    void reach(Action action);
    void improve(Fact fact, uint32_t cost, Action by);
    void leave(Fact fact);
};
} // namespace planner

#endif
