/* A domain and a problem as they were written: schemas with parameters,
 * objects, the facts at the start, and the goals. */
#ifndef PLANNER_PDDL_TASK_H
#define PLANNER_PDDL_TASK_H

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace planner
{
/* An argument: an object's number, or a schema's parameter as ~number. */
using Argument = int32_t;
constexpr int EQUALS = 0; /* a predicate of every task */

struct Literal {
    int predicate;
    std::vector<Argument> arguments;
    bool negated;
};

/* The types of a parameter or an argument: it must have at least one of
 * them. */
using TypeSet = std::vector<int>;

struct Predicate {
    std::string name;
    std::vector<TypeSet> parameters;
};

/* A part of an action's cost: a number, or the value of a function. */
struct Price {
    int function; /* -1: `number` is used */
    uint32_t number;
    std::vector<Argument> arguments;
};

struct Schema {
    std::string name;
    std::vector<TypeSet> parameters;
    std::vector<Literal> before, effects;
    std::vector<Price> cost;
};

struct Type {
    std::string name;
    std::vector<int> parents;
};

struct Object {
    std::string name;
    TypeSet types;
};

using Values = std::map<std::vector<int>, uint32_t>;

struct Task {
    std::string domain;
    std::vector<Type> types;
    std::vector<Object> objects;
    std::vector<Predicate> predicates;
    std::vector<Predicate> functions; /* without total-cost */
    std::vector<Schema> schemas;
    std::vector<Literal> start, goal;
    std::vector<Values> values; /* by function */
    bool minimizes_cost = false;
    bool has_total_cost = false;

    /* True if an object has one of the wanted types. */
    bool fits(int object, const TypeSet &wanted) const;
};

/* Reads both files into a task. `domain_shown`, `problem_shown`: the files'
 * names in error messages. */
Task read_task(const std::string &domain_shown, const std::string &domain,
               const std::string &problem_shown, const std::string &problem);
} // namespace planner

#endif
