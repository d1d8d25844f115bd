/*
 * relaxed.cpp: for each goal the cheapest action that adds it, whose
 * conditions are goals as well; then by cost, and among equal costs an action
 * first that deletes no condition of the next one.
 */
#include "relaxed/relaxed.h"

#include <algorithm>

namespace planner
{
void Relaxed::want(Fact fact, const Hadd &costs)
{
    if (wanted_[fact] || costs.best(fact) == Hadd::NONE)
        return;
    wanted_[fact] = 1;
    goals_.push_back(fact);
}

const std::vector<Action> &Relaxed::extract(const Hadd &costs)
{
    plan_.clear();
    goals_.clear();
    for (Fact fact : tables_.goal)
        want(fact, costs);
    for (size_t n = 0; n < goals_.size(); n++) {
        Action action = costs.best(goals_[n]);

        if (chosen_[action])
            continue;
        chosen_[action] = 1;
        plan_.push_back(action);
        const Fact *end = tables_.before.end(action);

        for (const Fact *f = tables_.before.begin(action); f != end; f++)
            want(*f, costs);
    }
    for (Fact fact : goals_)
        wanted_[fact] = 0;
    for (Action action : plan_)
        chosen_[action] = 0;
    order(costs);
    return plan_;
}

void Relaxed::order(const Hadd &costs)
{
    auto cost = [&](Action action) { return costs.cost_before(action); };

    std::stable_sort(plan_.begin(), plan_.end(),
                     [&](Action a, Action b) { return cost(a) < cost(b); });
    /* One pass back and forth over neighbours of equal cost. */
    auto swap_at = [&](size_t n) {
        Action &a = plan_[n], &b = plan_[n + 1];

        if (cost(a) == cost(b) && disturbs(a, b) && !disturbs(b, a))
            std::swap(a, b);
    };
    for (size_t n = 0; n + 1 < plan_.size(); n++)
        swap_at(n);
    for (size_t n = plan_.size(); n-- > 1;)
        swap_at(n - 1);
}

/* Whether the first one deletes a condition of the second one. */
bool Relaxed::disturbs(Action first, Action second) const
{
    return std::find_first_of(
               tables_.deletes.begin(first), tables_.deletes.end(first),
               tables_.before.begin(second),
               tables_.before.end(second)) != tables_.deletes.end(first);
}
} // namespace planner
