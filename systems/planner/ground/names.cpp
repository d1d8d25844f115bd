/*
 * names.cpp: atoms and actions as people write them.
 */
#include "ground/tables.h"

namespace planner
{
std::string term_of(const Task &task, const std::string &first,
                    const std::vector<int> &objects)
{
    std::string name = "(" + first;

    for (int object : objects)
        name += " " + task.objects[(size_t)object].name;
    return name + ")";
}

std::string name_of_action(const Task &task, const Tables &tables,
                           Action action)
{
    const Instance &instance = tables.instances[action];

    return term_of(task, task.schemas[(size_t)instance.schema].name,
                   instance.objects);
}
} // namespace planner
