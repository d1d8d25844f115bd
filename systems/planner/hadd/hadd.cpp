/*
 * hadd.cpp: one pass over a queue that is ordered by cost. A fact that leaves
 * the queue has its final cost, since an action costs more than each of its
 * conditions; so each condition of each action is touched once. An action
 * whose conditions cost nothing is applicable.
 */
#include "hadd/hadd.h"

#include <algorithm>

#include "state/copy.h"

namespace planner
{
Hadd::Hadd(const Tables &tables)
    : tables_(tables), facts_(tables.facts), first_(BUCKETS, END)
{
    for (Action action = 0; action < tables.actions(); action++)
        none_reached_.push_back({0, tables.before.size(action)});
    actions_.resize(none_reached_.size());
}

void Hadd::compute(const Word *state)
{
    copy_fetched(none_reached_.data(), none_reached_.size(), actions_.data());
    fetch_lines(facts_.data(), facts_.size() * sizeof(FactCost));
    applicable_.clear();
    start_.clear();
    for (size_t fact = 0; fact < tables_.facts; fact++) {
        bool is_true = has(state, (Fact)fact);

        facts_[fact] = {is_true ? 0 : NEVER, NONE, END, END};
        if (is_true)
            start_.push_back((Fact)fact);
    }
    for (Action action : tables_.always)
        reach(action);
    for (Fact fact : start_)
        settle(fact);
    for (uint32_t cost = 1; waiting_; cost++)
        while (first_[cost] != END) {
            Fact fact = first_[cost];

            leave(fact);
            settle(fact);
        }
    while (!later_.empty()) {
        auto [cost, fact] = later_.top();

        later_.pop();
        if (facts_[fact].cost == cost)
            settle(fact);
    }
}

void Hadd::settle(Fact fact)
{
    uint32_t cost = facts_[fact].cost;
    const Action *end = tables_.needed_by.end(fact);

    for (const Action *at = tables_.needed_by.begin(fact); at != end; at++) {
        ActionCost &action = actions_[*at];

        action.cost += cost;
        if (--action.missing == 0)
            reach(*at);
    }
}

void Hadd::reach(Action action)
{
    uint32_t cost = std::min(actions_[action].cost, MOST);
    const Fact *end = tables_.adds.end(action);

    if (cost == 0)
        applicable_.push_back(action);
    for (const Fact *fact = tables_.adds.begin(action); fact != end; fact++)
        if (cost + 1 < facts_[*fact].cost)
            improve(*fact, cost + 1, action);
}

void Hadd::improve(Fact fact, uint32_t cost, Action by)
{
    FactCost &one = facts_[fact];

    if (one.cost < BUCKETS)
        leave(fact);
    one.cost = cost;
    one.best = by;
    if (cost >= BUCKETS) {
        later_.push({cost, fact});
        return;
    }
    one.next = first_[cost];
    one.previous = END;
    if (one.next != END)
        facts_[one.next].previous = fact;
    first_[cost] = fact;
    waiting_++;
}

void Hadd::leave(Fact fact)
{
    FactCost &one = facts_[fact];

    if (one.previous != END)
        facts_[one.previous].next = one.next;
    else
        first_[one.cost] = one.next;
    if (one.next != END)
        facts_[one.next].previous = one.previous;
    waiting_--;
}

uint32_t Hadd::cost_of_goal() const
{
    uint32_t sum = 0;

    for (Fact fact : tables_.goal) {
        if (facts_[fact].cost == NEVER)
            return NEVER;
        sum = std::min(sum + facts_[fact].cost, MOST);
    }
    return sum;
}
} // namespace planner
