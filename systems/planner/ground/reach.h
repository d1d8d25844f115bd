/* Relaxed reachability: the atoms and actions that are possible if no action
 * deletes an atom. */
#ifndef PLANNER_GROUND_REACH_H
#define PLANNER_GROUND_REACH_H

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "pddl/task.h"

namespace planner
{
/* Atoms, each with a number. A predicate is one of the task's or, with a number
 * above these, "has one of these types". */
class Atoms
{
  public:
    struct Atom {
        int predicate;
        std::vector<int> objects;
    };

    /* Adds an atom; does nothing if it was added before. */
    void add(int predicate, const std::vector<int> &objects);
    void add(const Literal &literal, const std::vector<int> &objects);
    /* The atom's number; -1 if it was never added. */
    int find(const Literal &literal, const std::vector<int> &objects) const;
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
    mutable std::string key_;

    const std::string &key_of(int predicate,
                              const std::vector<int> &objects) const;
    const std::string &key_of(const Literal &literal,
                              const std::vector<int> &objects) const;
    int find(const std::string &key) const;
};

/* An action: a schema with objects for its parameters. */
struct Instance {
    int schema;
    std::vector<int> objects;
};

struct Reached {
    Atoms atoms;
    std::vector<Instance> instances;
    std::vector<char> is_static; /* by predicate: no effect changes it */
};

Reached reach(const Task &task);
/* The objects of a literal, when the schema's parameters stand for
 * `objects`. */
std::vector<int> bound(const Literal &literal, const std::vector<int> &objects);
} // namespace planner

#endif
