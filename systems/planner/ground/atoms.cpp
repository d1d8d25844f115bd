/*
 * atoms.cpp: atoms by number, and numbers by atom.
 *
 * A join asks for many atoms and makes few, so a key is written into one
 * string again and again: asking takes no memory.
 */
#include "ground/reach.h"

namespace planner
{
static void append(std::string &key, int number)
{
    key.append((const char *)&number, sizeof number);
}

const std::string &Atoms::key_of(int predicate,
                                 const std::vector<int> &objects) const
{
    key_.clear();
    append(key_, predicate);
    for (int object : objects)
        append(key_, object);
    return key_;
}

const std::string &Atoms::key_of(const Literal &literal,
                                 const std::vector<int> &objects) const
{
    key_.clear();
    append(key_, literal.predicate);
    for (Argument argument : literal.arguments)
        append(key_, argument >= 0 ? argument : objects[(size_t)~argument]);
    return key_;
}

int Atoms::find(const std::string &key) const
{
    auto found = numbers_.find(key);

    return found == numbers_.end() ? -1 : found->second;
}

void Atoms::add(int predicate, const std::vector<int> &objects)
{
    if (find(key_of(predicate, objects)) >= 0)
        return;
    numbers_.emplace(key_, (int)atoms_.size());
    atoms_.push_back({predicate, objects});
}

void Atoms::add(const Literal &literal, const std::vector<int> &objects)
{
    if (find(literal, objects) >= 0)
        return;
    numbers_.emplace(key_, (int)atoms_.size());
    atoms_.push_back({literal.predicate, bound(literal, objects)});
}

int Atoms::find(const Literal &literal, const std::vector<int> &objects) const
{
    return find(key_of(literal, objects));
}

std::vector<int> bound(const Literal &literal, const std::vector<int> &objects)
{
    std::vector<int> found;

    found.reserve(literal.arguments.size());
    for (Argument argument : literal.arguments)
        found.push_back(argument >= 0 ? argument : objects[(size_t)~argument]);
    return found;
}
} // namespace planner
