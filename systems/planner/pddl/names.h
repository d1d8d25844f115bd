/* What readers of domain and problem share: names by kind, typed lists,
 * formulas. */
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

/* A schema's parameters while it is read. */
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

    /* (:requirements ...): only those that the planner knows. */
    void requirements(const Text &text, const Node &part);
    /* "a b - type c": calls `each` with the word's node and its types. */
    void
    typed_list(const Text &text, const Node &part, size_t first,
               const std::function<void(const Node &, const TypeSet &)> &each);
    void add_objects(const Text &text, const Node &part);
    void add_predicates(const Text &text, const Node &part);
    void add_functions(const Text &text, const Node &part);
    /* Atoms and their negations, joined by `and`. */
    void formula(const Text &text, const Node &node, const Scope *scope,
                 const char *of_what, std::vector<Literal> &into);
    Literal atom(const Text &text, const Node &node, const Scope *scope,
                 bool negated);
    Argument argument(const Text &text, const Node &node, const Scope *scope);
    /* A term such as (road a b): the function, and its arguments. */
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
/* (:types ...), with what is above each; a circle is an error. */
void read_types(const Text &text, const Node &part, Reading &names);
} // namespace planner

#endif
