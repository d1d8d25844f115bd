/* A domain and a problem as they were written: schemas with parameters,
 * objects, what is true at the start, and what should be. */
#ifndef PLANNER_PDDL_TASK_H
#define PLANNER_PDDL_TASK_H

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace planner
{
/* An argument: an object, or a schema's parameter as ~number. */
using Argument = int32_t;
constexpr int EQUALS = 0; /* the predicate that every task has */

struct Literal {
    int predicate;
    std::vector<Argument> arguments;
    bool negated;
};

/* What a parameter or an argument may be: any of these types. */
using TypeSet = std::vector<int>;

struct Predicate {
    std::string name;
    std::vector<TypeSet> parameters;
};

/* A part of what an action costs: a number, or a function's value. */
struct Price {
    int function; /* -1: the number */
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
    std::vector<Predicate> functions; /* total-cost is not one of them */
    std::vector<Schema> schemas;
    std::vector<Literal> start, goal;
    std::vector<Values> values; /* by function */
    bool minimizes_cost = false;
    bool has_total_cost = false;

    /* Whether an object may stand where one of these types is asked for. */
    bool fits(int object, const TypeSet &wanted) const;
};

/* Reads both files; `shown` are the names in messages. */
Task read_task(const std::string &domain_shown, const std::string &domain,
               const std::string &problem_shown, const std::string &problem);
} // namespace planner

#endif
