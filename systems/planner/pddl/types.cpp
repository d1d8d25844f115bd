/*
 * types.cpp: the types and what is above each.
 */
#include "pddl/names.h"

namespace planner
{
/* Goes up from a type; where it meets a type that it is below of, there is a
 * circle. States: 0 not seen, 1 on the way, 2 done. */
static void refuse_circles(const Text &text, const Node &part, const Task &task)
{
    std::vector<char> state(task.types.size());
    std::vector<std::pair<int, size_t>> way;

    for (size_t first = 0; first < task.types.size(); first++) {
        if (!state[first])
            way.push_back({(int)first, 0});
        while (!way.empty()) {
            auto &[type, next] = way.back();
            const std::vector<int> &parents = task.types[(size_t)type].parents;

            state[(size_t)type] = 1;
            if (next == parents.size()) {
                state[(size_t)type] = 2;
                way.pop_back();
                continue;
            }
            int parent = parents[next++];

            if (state[(size_t)parent] == 1)
                text.fail(part,
                          "the types go in a circle: '" +
                              task.types[(size_t)parent].name +
                              "' is above itself",
                          "delete one of the types' parents");
            if (!state[(size_t)parent])
                way.push_back({parent, 0});
        }
    }
}

void read_types(const Text &text, const Node &part, Reading &names)
{
    Task &task = names.task;

    /* A parent may stand behind its children: all names come first. */
    for (size_t n = 1; n < part.parts.size(); n++) {
        const Node &node = part.parts[n];
        auto add = [&](const std::string &name) {
            if (names.types.emplace(name, (int)task.types.size()).second)
                task.types.push_back({name, {}});
        };

        if (!node.is_list() && node.word != "-")
            add(text.name(node, "a type"));
        for (size_t one = 1; node.is_list() && one < node.parts.size(); one++)
            add(text.name(node.parts[one], "a type"));
    }
    names.typed_list(text, part, 1, [&](const Node &node, const TypeSet &of) {
        int type = names.types[node.word];
        std::vector<int> &parents = task.types[(size_t)type].parents;

        /* (:types object) and (:types a - object) say nothing new. */
        for (int parent : of)
            if (type != 0)
                parents.push_back(parent);
    });
    refuse_circles(text, part, task);
}

bool Task::fits(int object, const TypeSet &wanted) const
{
    std::vector<int> left = objects[(size_t)object].types;
    std::vector<char> seen(types.size());

    while (!left.empty()) {
        int type = left.back();

        left.pop_back();
        for (int one : wanted)
            if (one == type || one == 0)
                return true;
        if (seen[(size_t)type])
            continue;
        seen[(size_t)type] = 1;
        for (int parent : types[(size_t)type].parents)
            left.push_back(parent);
    }
    return false;
}
} // namespace planner
