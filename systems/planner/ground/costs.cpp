/*
 * costs.cpp: what actions cost by the values of the problem's functions.
 */
#include "ground/tables.h"

#include "pddl/text.h"

namespace planner
{
[[noreturn]] static void fail_without_value(const Task &task,
                                            const Price &price,
                                            const std::vector<int> &objects,
                                            const std::string &action)
{
    std::string term =
        term_of(task, task.functions[(size_t)price.function].name, objects);

    throw BadInput("no value of " + term + " stands in (:init ...): '" +
                       action + "' costs that much",
                   "add (= " + term + " 1) to (:init ...)");
}

uint32_t cost_of(const Task &task, const Schema &schema,
                 const std::vector<int> &objects)
{
    uint64_t cost = 0;

    if (!task.minimizes_cost)
        return 1;
    for (const Price &price : schema.cost) {
        if (price.function < 0) {
            cost += price.number;
            continue;
        }
        const Values &values = task.values[(size_t)price.function];
        std::vector<int> of = bound({0, price.arguments, false}, objects);
        auto found = values.find(of);

        if (found == values.end())
            fail_without_value(task, price, of, schema.name);
        cost += found->second;
    }
    if (cost > MOST_COST)
        throw BadInput("an action '" + schema.name + "' costs " +
                           std::to_string(cost) + ", more than can be added up",
                       "divide all costs by one number");
    return (uint32_t)cost;
}
} // namespace planner
