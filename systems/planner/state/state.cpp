/*
 * state.cpp: a key is the exclusive or of its facts' random numbers, so an
 * action changes it by the facts that it changes.
 */
#include "state/state.h"

namespace planner
{
Key mixed(Key number)
{
    number += 0x9E3779B97F4A7C15u;
    number = (number ^ number >> 30) * 0xBF58476D1CE4E5B9u;
    number = (number ^ number >> 27) * 0x94D049BB133111EBu;
    return number ^ number >> 31;
}

States::States(const Tables &tables)
    : tables_(tables), words_((tables.facts + 31) / 32)
{
    if (!words_)
        words_ = 1;
    for (size_t fact = 0; fact < tables.facts; fact++)
        keys_.push_back(mixed(fact));
}

State States::start() const
{
    State state(words_);

    for (Fact fact : tables_.start)
        state[fact >> 5] |= 1u << (fact & 31);
    return state;
}

bool States::is_goal(const Word *state) const
{
    for (Fact fact : tables_.goal)
        if (!has(state, fact))
            return false;
    return true;
}

bool States::is_applicable(const Word *state, Action action) const
{
    const Fact *end = tables_.before.end(action);

    for (const Fact *fact = tables_.before.begin(action); fact != end; fact++)
        if (!has(state, *fact))
            return false;
    return true;
}

void States::apply(Word *state, Key &key, Action action) const
{
    const Fact *end = tables_.deletes.end(action);

    for (const Fact *fact = tables_.deletes.begin(action); fact != end; fact++)
        if (has(state, *fact)) {
            state[*fact >> 5] &= ~(1u << (*fact & 31));
            key ^= keys_[*fact];
        }
    end = tables_.adds.end(action);
    for (const Fact *fact = tables_.adds.begin(action); fact != end; fact++)
        if (!has(state, *fact)) {
            state[*fact >> 5] |= 1u << (*fact & 31);
            key ^= keys_[*fact];
        }
}

Key States::key_within(const Word *state, const State &mask) const
{
    Key key = 0;

    for (size_t n = 0; n < words_; n++)
        for (Word left = state[n] & mask[n]; left; left &= left - 1)
            key ^= keys_[n * 32 + (size_t)__builtin_ctz(left)];
    return key;
}

Key States::key(const Word *state) const
{
    Key key = 0;

    for (size_t fact = 0; fact < tables_.facts; fact++)
        if (has(state, (Fact)fact))
            key ^= keys_[fact];
    return key;
}
} // namespace planner
