/*
 * owners.cpp: the whole key spreads states evenly, but sends nearly every child
 * away. The key of a few facts [burns-2010] keeps a child at home whose action
 * changes none of them.
 */
#include "share/owners.h"

#include <algorithm>

namespace planner
{
namespace
{
using Changers = std::vector<std::vector<Action>>;

/* By fact: the actions that add or delete it. */
Changers changers_of(const Tables &tables)
{
    Changers found(tables.facts);

    for (Action action = 0; action < tables.actions(); action++)
        for (const Lists<Fact> *lists : {&tables.adds, &tables.deletes}) {
            const Fact *end = lists->end(action);

            for (const Fact *fact = lists->begin(action); fact != end; fact++)
                found[*fact].push_back(action);
        }
    return found;
}

/* The facts that the fewest actions change: as many of them as half of the
 * actions change. So about half of the children stay. */
State seldom_changed(const Tables &tables, size_t words)
{
    Changers changers = changers_of(tables);
    std::vector<Fact> facts;
    std::vector<char> changes(tables.actions());
    size_t changing = 0;
    State mask(words);

    for (size_t fact = 0; fact < tables.facts; fact++)
        if (!changers[fact].empty())
            facts.push_back((Fact)fact);
    std::stable_sort(facts.begin(), facts.end(), [&](Fact a, Fact b) {
        return changers[a].size() < changers[b].size();
    });
    for (Fact fact : facts) {
        if (changing * 2 >= tables.actions())
            break;
        mask[fact >> 5] |= 1u << (fact & 31);
        for (Action action : changers[fact]) {
            changing += !changes[action];
            changes[action] = 1;
        }
    }
    return mask;
}
} // namespace

Owner::Owner(const Tables &tables, const States &states, const Sharing &sharing,
             int rank, int ranks)
    : states_(states), rank_(rank), ranks_(ranks),
      portfolio_(sharing.portfolio && ranks > 1)
{
    if (sharing.owning == Owning::ABSTRACT)
        mask_ = seldom_changed(tables, states.words());
}

int Owner::of(const Word *state, Key key) const
{
    if (portfolio_ && rank_ == 0)
        return 0;
    if (!mask_.empty())
        key = states_.key_within(state, mask_);
    int first = portfolio_ ? 1 : 0;

    return first + (int)(key % (uint32_t)(ranks_ - first));
}
} // namespace planner
