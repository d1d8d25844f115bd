/* Relaxed reachability: the atoms and actions that are possible when nothing
 * is ever deleted. */
#ifndef PLANNER_GROUND_REACH_H
#define PLANNER_GROUND_REACH_H

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "pddl/task.h"

namespace planner
{
/* Atoms by number. A predicate's name is that of the task, or, behind the
 * task's predicates, "has one of these types". */
class Atoms
{
  public:
    struct Atom {
        int predicate;
        std::vector<int> objects;
    };

    /* The number; a new one if the atom is new. */
    int add(int predicate, const std::vector<int> &objects);
    /* -1: it was never added. */
    int find(int predicate, const std::vector<int> &objects) const;
    const Atom &operator[](int number) const
    {
        return atoms_[(size_t)number];
    }
    int count() const
    {
        return (int)atoms_.size();
    }

  private:
    std::vector<Atom> atoms_;
    std::unordered_map<std::string, int> numbers_;
};

struct Instance {
    int schema;
    std::vector<int> objects;
};

struct Reached {
    Atoms atoms;
    std::vector<Instance> instances;
    std::vector<char> is_static; /* by predicate: no effect names it */
};

Reached reach(const Task &task);
/* The objects of a literal under a binding of its schema's parameters. */
std::vector<int> bound(const Literal &literal, const std::vector<int> &objects);
} // namespace planner

#endif
