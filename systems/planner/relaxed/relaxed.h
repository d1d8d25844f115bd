/* A relaxed plan: actions that reach the goal if no action deletes a fact. */
#ifndef PLANNER_RELAXED_RELAXED_H
#define PLANNER_RELAXED_RELAXED_H

#include <vector>

#include "hadd/hadd.h"

namespace planner
{
class Relaxed
{
  public:
    explicit Relaxed(const Tables &tables)
        : tables_(tables), wanted_(tables.facts), chosen_(tables.actions())
    {
    }

    /* Extracts a relaxed plan for the state whose costs are `costs`, cheapest
     * actions first; valid until the next call. The goals must be reachable. */
    const std::vector<Action> &extract(const Hadd &costs);

  private:
    const Tables &tables_;
    std::vector<char> wanted_, chosen_; /* by fact, by action */
    std::vector<Fact> goals_;
    std::vector<Action> plan_;

    void want(Fact fact, const Hadd &costs);
    void order(const Hadd &costs);
    bool disturbs(Action first, Action second) const;
};
} // namespace planner

#endif
