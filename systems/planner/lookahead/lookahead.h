/* Lookahead: as many actions of a relaxed plan as can really be done
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
        : tables_(tables), states_(states), relaxed_(tables)
    {
    }

    /* Moves the state on, whose costs these are, and its key; the actions
     * that did it. */
    const std::vector<Action> &run(const Hadd &costs, Word *state, Key &key);

  private:
    const Tables &tables_;
    const States &states_;
    Relaxed relaxed_;
    std::vector<Action> left_, plan_;

    bool apply_first(Word *state, Key &key);
    bool repair(const Hadd &costs, const Word *state);
    Action instead(const Hadd &costs, const Word *state, Action first,
                   Action second) const;
};
} // namespace planner

#endif
