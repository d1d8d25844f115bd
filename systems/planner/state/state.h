/* States as bit arrays, one bit for each fact, and their Zobrist keys. */
#ifndef PLANNER_STATE_STATE_H
#define PLANNER_STATE_STATE_H

#include <cstdint>
#include <vector>

#include "ground/tables.h"

namespace planner
{
using Word = uint32_t;
using Key = uint64_t;
using State = std::vector<Word>;

inline bool has(const Word *state, Fact fact)
{
    return state[fact >> 5] >> (fact & 31) & 1;
}

class States
{
  public:
    explicit States(const Tables &tables);

    size_t words() const
    {
        return words_;
    }
    State start() const;
    bool is_goal(const Word *state) const;
    bool is_applicable(const Word *state, Action action) const;
    /* Applies an action: changes `state` to the state after it, and `key` to
     * that state's key. */
    void apply(Word *state, Key &key, Action action) const;
    Key key(const Word *state) const;
    /* The key of those facts alone that are in the mask, too. */
    Key key_within(const Word *state, const State &mask) const;

  private:
    const Tables &tables_;
    size_t words_;
    std::vector<Key> keys_; /* by fact */
};

/* Mixes the bits of a number, so that near numbers give distant results
 * [steele-2014]. */
Key mixed(Key number);
} // namespace planner

#endif
