/*
 * atoms.cpp: atoms by number, and numbers by atom.
 */
#include "ground/reach.h"

namespace planner
{
static std::string key_of(int predicate, const std::vector<int> &objects)
{
    std::string key((const char *)&predicate, sizeof predicate);

    key.append((const char *)objects.data(), objects.size() * sizeof(int));
    return key;
}

int Atoms::add(int predicate, const std::vector<int> &objects)
{
    auto [at, is_new] =
        numbers_.emplace(key_of(predicate, objects), (int)atoms_.size());

    if (is_new)
        atoms_.push_back({predicate, objects});
    return at->second;
}

int Atoms::find(int predicate, const std::vector<int> &objects) const
{
    auto found = numbers_.find(key_of(predicate, objects));

    return found == numbers_.end() ? -1 : found->second;
}

std::vector<int> bound(const Literal &literal, const std::vector<int> &objects)
{
    std::vector<int> found;

    for (Argument argument : literal.arguments)
        found.push_back(argument >= 0 ? argument : objects[(size_t)~argument]);
    return found;
}
} // namespace planner
