/* A problem without variables: numbered facts and actions, in compact arrays
 * that every search reads and none writes. */
#ifndef PLANNER_GROUND_TABLES_H
#define PLANNER_GROUND_TABLES_H

#include <cstdint>
#include <string>
#include <vector>

#include "ground/reach.h"

namespace planner
{
using Fact = uint16_t;
using Action = uint32_t;

/* Lists of numbers, stored one after another: list n is from begin(n) to
 * end(n). */
template <class Number> class Lists
{
  public:
    const Number *begin(size_t n) const
    {
        return all_.data() + from_[n];
    }
    const Number *end(size_t n) const
    {
        return all_.data() + from_[n + 1];
    }
    uint32_t size(size_t n) const
    {
        return from_[n + 1] - from_[n];
    }
    size_t count() const
    {
        return from_.size() - 1;
    }
    size_t total() const
    {
        return all_.size();
    }
    void add(const std::vector<Number> &list)
    {
        all_.insert(all_.end(), list.begin(), list.end());
        from_.push_back((uint32_t)all_.size());
    }

  private:
    std::vector<Number> all_;
    std::vector<uint32_t> from_{0};
};

/* Sums of costs stop here, so that none wraps. A search does not tell apart
 * plans that cost more; what a plan is said to cost is exact. */
constexpr uint32_t MOST_COST = UINT32_MAX - 1;

inline uint32_t added(uint32_t cost, uint32_t more)
{
    return more > MOST_COST - cost ? MOST_COST : cost + more;
}

struct Tables {
    size_t facts = 0; /* how many; numbers from 0 */
    std::vector<Fact> start, goal;
    std::vector<Instance> instances;   /* by action */
    Lists<Fact> before, adds, deletes; /* by action; before: conditions */
    Lists<Action> needed_by, added_by; /* by fact */
    std::vector<Action> always;        /* actions without preconditions */
    std::vector<uint32_t> cost;        /* by action; 1 without a metric */
    bool solvable = true;              /* false: a goal is unreachable */
    bool unit_cost = true;             /* no metric: counts the length */
    /* The results of relaxed reachability, before constant facts were removed.
     */
    size_t reached_atoms = 0, reached_actions = 0;

    size_t actions() const
    {
        return instances.size();
    }
};

/* The text of an action or atom, such as "(stack a b)". */
std::string term_of(const Task &task, const std::string &first,
                    const std::vector<int> &objects);
std::string name_of_action(const Task &task, const Tables &tables,
                           Action action);
/* The cost of an action: 1, or with a metric the metric's value. */
uint32_t cost_of(const Task &task, const Schema &schema,
                 const std::vector<int> &objects);
Tables ground(const Task &task);
} // namespace planner

#endif
