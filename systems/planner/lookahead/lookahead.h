/* Lookahead: executes as many actions of a relaxed plan as are really possible
 * [vidal-2011]. */
#ifndef PLANNER_LOOKAHEAD_LOOKAHEAD_H
#define PLANNER_LOOKAHEAD_LOOKAHEAD_H

#include <vector>

#include "hadd/hadd.h"
#include "relaxed/relaxed.h"
#include "state/state.h"

namespace planner
{
class Lookahead
{
  public:
    Lookahead(const Tables &tables, const States &states)
        : tables_(tables), states_(states), relaxed_(tables),
          needs_(tables.facts)
    {
    }

    /* Executes actions from `state`, whose costs are `costs` (the goal must be
     * reachable); changes the state and its key accordingly, and returns the
     * actions that were executed: valid until the next call; none if no action
     * was possible. */
    const std::vector<Action> &run(const Hadd &costs, Word *state, Key &key);

  private:
    const Tables &tables_;
    const States &states_;
    Relaxed relaxed_;
    std::vector<Action> left_, plan_;
    std::vector<int> needs_; /* by fact, while a repair is looked for */

    bool apply_first(Word *state, Key &key);
    bool repair(const Hadd &costs, const Word *state);
    void count_needs(int step);
    Action instead(const Hadd &costs, const Word *state, Action first) const;
};
} // namespace planner

#endif
