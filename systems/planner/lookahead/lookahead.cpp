/*
 * lookahead.cpp: the first applicable action again and again; when there is
 * none, one action is replaced by an applicable one.
 */
#include "lookahead/lookahead.h"

#include <cstddef>

namespace planner
{
const std::vector<Action> &Lookahead::run(const Hadd &costs, Word *state,
                                          Key &key)
{
    left_ = relaxed_.extract(costs);
    plan_.clear();
    while (!left_.empty())
        if (!apply_first(state, key) && !repair(costs, state))
            break;
    return plan_;
}

bool Lookahead::apply_first(Word *state, Key &key)
{
    for (size_t n = 0; n < left_.size(); n++) {
        Action action = left_[n];

        if (!states_.is_applicable(state, action))
            continue;
        states_.apply(state, key, action);
        plan_.push_back(action);
        left_.erase(left_.begin() + (std::ptrdiff_t)n);
        return true;
    }
    return false;
}

/* The first action that adds what another one lacks, and for which there is an
 * applicable one that adds it, too: the cheapest takes its place. An action
 * adds none of its own conditions (ground/tables.cpp), so whoever needs what it
 * adds is another one. */
bool Lookahead::repair(const Hadd &costs, const Word *state)
{
    count_needs(1);
    for (size_t n = 0; n < left_.size(); n++) {
        Action found = instead(costs, state, left_[n]);

        if (found == Hadd::NONE)
            continue;
        count_needs(-1);
        left_[n] = found;
        return true;
    }
    count_needs(-1);
    return false;
}

/* How many of the actions that are left have a fact as their condition. */
void Lookahead::count_needs(int step)
{
    for (Action action : left_) {
        const Fact *end = tables_.before.end(action);

        for (const Fact *f = tables_.before.begin(action); f != end; f++)
            needs_[*f] += step;
    }
}

Action Lookahead::instead(const Hadd &costs, const Word *state,
                          Action first) const
{
    Action best = Hadd::NONE;
    const Fact *end = tables_.adds.end(first);

    for (const Fact *fact = tables_.adds.begin(first); fact != end; fact++) {
        if (has(state, *fact) || !needs_[*fact])
            continue;
        const Action *last = tables_.added_by.end(*fact);

        for (const Action *at = tables_.added_by.begin(*fact); at != last; at++)
            if (states_.is_applicable(state, *at) &&
                (best == Hadd::NONE ||
                 costs.cost_before(*at) < costs.cost_before(best)))
                best = *at;
    }
    return best;
}
} // namespace planner
