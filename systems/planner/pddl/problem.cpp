/*
 * problem.cpp: (define (problem NAME) ...), and both files together.
 */
#include <set>

#include "pddl/names.h"

namespace planner
{
namespace
{
/* (= (distance a b) 5) */
void read_value(const Text &text, const Node &node, Reading &names)
{
    std::vector<Argument> arguments;

    if (node.parts.size() != 3)
        text.fail(node, "a function's value is written (= (f a b) 5)",
                  "name a function and a number");
    if (node.parts[1].starts_with("total-cost") &&
        node.parts[1].parts.size() == 1 && names.task.has_total_cost) {
        names.number(text, node.parts[2]);
        return;
    }
    int function = names.function(text, node.parts[1], nullptr, arguments);

    names.task.values[(size_t)function][arguments] =
        names.number(text, node.parts[2]);
}

void read_start(const Text &text, const Node &part, Reading &names)
{
    for (size_t n = 1; n < part.parts.size(); n++) {
        const Node &node = text.list(part.parts[n], "an atom");

        if (node.starts_with("=") && node.parts.size() > 1 &&
            node.parts[1].is_list()) {
            read_value(text, node, names);
        } else if (node.starts_with("at") && node.parts.size() == 3 &&
                   node.parts[2].is_list()) {
            text.fail(node,
                      "a timed initial literal (:timed-initial-literals), 'at',"
                      " is not supported",
                      "leave it out, or use a temporal planner");
        } else if (node.starts_with("not")) {
            /* What is not said is false anyway. */
            std::vector<Literal> ignored;

            names.formula(text, node, nullptr, "an atom", ignored);
        } else {
            names.task.start.push_back(names.atom(text, node, nullptr, false));
        }
    }
}

void read_metric(const Text &text, const Node &part, Reading &names)
{
    bool good = part.parts.size() == 3 && part.parts[1].word == "minimize" &&
                part.parts[2].parts.size() == 1 &&
                part.parts[2].starts_with("total-cost");

    if (!good || !names.task.has_total_cost)
        text.fail(part, "the planner minimizes the total cost or the length",
                  "write (:metric minimize (total-cost)), and declare it in"
                  " (:functions ...); or leave the metric out");
    names.task.minimizes_cost = true;
}

void read_part(const Text &text, const Node &part, Reading &names)
{
    if (part.starts_with(":domain")) {
        if (part.parts.size() != 2 ||
            text.word(part.parts[1], "a domain") != names.task.domain)
            text.fail(part,
                      "this problem is of another domain than '" +
                          names.task.domain + "'",
                      "give the domain and the problem that belong together");
    } else if (part.starts_with(":requirements")) {
        names.requirements(text, part);
    } else if (part.starts_with(":objects")) {
        names.add_objects(text, part);
    } else if (part.starts_with(":init")) {
        read_start(text, part, names);
    } else if (part.starts_with(":goal")) {
        if (part.parts.size() != 2)
            text.fail(part, "a goal is one formula", "join them: (and ...)");
        names.formula(text, part.parts[1], nullptr, "a goal", names.task.goal);
    } else if (part.starts_with(":metric")) {
        read_metric(text, part, names);
    } else if (!part.starts_with(":length")) {
        /* A length is advice to planners of 1998; this one needs none. */
        text.fail_part(part, "a problem",
                       "a problem has :domain, :requirements, :objects, :init,"
                       " :goal and :metric");
    }
}
} // namespace

void read_problem(const Text &text, Reading &names)
{
    const std::vector<Node> &parts = text.root().parts;
    std::set<std::string> seen;

    if (parts.size() < 2 || !parts[1].starts_with("problem"))
        text.fail(parts.size() < 2 ? text.root() : parts[1],
                  "(problem NAME) should stand here",
                  "the first file is the domain, the second one the problem");
    /* The objects come first, wherever they stand. */
    for (bool objects : {true, false})
        for (size_t n = 2; n < parts.size(); n++) {
            const Node &part = text.list(parts[n], "a part of the problem");

            if (part.starts_with(":objects") != objects)
                continue;
            read_part(text, part, names);
            if (!seen.insert(part.parts[0].word).second)
                text.fail(part, "'" + part.parts[0].word + "' is there twice",
                          "join the two");
        }
    for (const char *needed : {":domain", ":init", ":goal"})
        if (!seen.count(needed))
            text.fail(text.root(),
                      std::string("the problem has no (") + needed + " ...)",
                      "add it");
}

Task read_task(const std::string &domain_shown, const std::string &domain,
               const std::string &problem_shown, const std::string &problem)
{
    Task task;
    Reading names(task);

    read_domain(Text(domain_shown, domain), names);
    read_problem(Text(problem_shown, problem), names);
    return task;
}
} // namespace planner
