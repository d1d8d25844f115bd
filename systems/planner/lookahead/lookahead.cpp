/*
 * lookahead.cpp: the first applicable action again and again; when there is
 * none, one action is replaced by an applicable one.
 */
#include "lookahead/lookahead.h"

#include <algorithm>
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
 * applicable one that adds it, too: the cheapest takes its place. */
bool Lookahead::repair(const Hadd &costs, const Word *state)
{
    for (Action &first : left_)
        for (Action second : left_) {
            if (first == second)
                continue;
            Action found = instead(costs, state, first, second);

            if (found != Hadd::NONE) {
                first = found;
                return true;
            }
        }
    return false;
}

Action Lookahead::instead(const Hadd &costs, const Word *state, Action first,
                          Action second) const
{
    Action best = Hadd::NONE;
    const Fact *end = tables_.adds.end(first);

    for (const Fact *fact = tables_.adds.begin(first); fact != end; fact++) {
        if (has(state, *fact) ||
            std::find(tables_.before.begin(second), tables_.before.end(second),
                      *fact) == tables_.before.end(second))
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
