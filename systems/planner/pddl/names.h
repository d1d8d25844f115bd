/* The common part of the readers of domain and problem: names by kind, typed
 * lists, formulas. */
#ifndef PLANNER_PDDL_NAMES_H
#define PLANNER_PDDL_NAMES_H

#include <functional>
#include <string>
#include <unordered_map>

#include "pddl/task.h"
#include "pddl/text.h"

namespace planner
{
using Names = std::unordered_map<std::string, int>;

/* The parameters of the action schema that is being read: numbers by name, and
 * the types of each. */
struct Scope {
    Names names;
    std::vector<TypeSet> types;
};

class Reading
{
  public:
    explicit Reading(Task &task);

    Task &task;
    Names types, objects, predicates, functions;

    /* Reads (:requirements ...). Only the requirements that the planner
     * supports are accepted. */
    void requirements(const Text &text, const Node &part);
    /* Reads "a b - type c": calls `each` with each word's node and its types.
     */
    void
    typed_list(const Text &text, const Node &part, size_t first,
               const std::function<void(const Node &, const TypeSet &)> &each);
    void add_objects(const Text &text, const Node &part);
    void add_predicates(const Text &text, const Node &part);
    void add_functions(const Text &text, const Node &part);
    /* Reads atoms and their negations, joined by `and`. */
    void formula(const Text &text, const Node &node, const Scope *scope,
                 const char *of_what, std::vector<Literal> &into);
    Literal atom(const Text &text, const Node &node, const Scope *scope,
                 bool negated);
    Argument argument(const Text &text, const Node &node, const Scope *scope);
    /* Reads a term such as (road a b): returns the function's number, and its
     * arguments in `arguments`. */
    int function(const Text &text, const Node &node, const Scope *scope,
                 std::vector<Argument> &arguments);
    uint32_t number(const Text &text, const Node &node);

  private:
    TypeSet type_of(const Text &text, const Node &node);
    void check_arguments(const Text &text, const Node &node,
                         const Predicate &declared,
                         const std::vector<Argument> &arguments);
};

void read_domain(const Text &text, Reading &names);
void read_problem(const Text &text, Reading &names);
/* Reads (:types ...), with the supertypes of each type. A circle of supertypes
 * is an error. */
void read_types(const Text &text, const Node &part, Reading &names);
} // namespace planner

#endif
