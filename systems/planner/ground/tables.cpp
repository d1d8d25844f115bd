/*
 * tables.cpp: from reached atoms and instances to numbered facts and actions.
 *
 * An atom that nothing can change is no fact. A negative condition is a fact
 * of its own, the atom's opposite, so that the search knows positive ones only.
 */
#include "ground/tables.h"

#include <algorithm>

#include "ground/reach.h"
#include "pddl/text.h"

namespace planner
{
namespace
{
constexpr size_t MOST_FACTS = 65535; /* a Fact has 16 bits */

/* What an atom can be over all states that can be reached. */
enum class Kind : char { CHANGES, TRUE, FALSE };

class Builder
{
  public:
    Builder(const Task &task, Reached &reached)
        : task_(task), reached_(reached), atoms_(reached.atoms.count())
    {
    }

    Tables build()
    {
        find_kinds();
        find_opposites();
        number_facts();
        for (Instance &instance : reached_.instances)
            add_action(instance);
        add_goal();
        add_indexes();
        tables_.unit_cost = !task_.minimizes_cost;
        tables_.reached_actions = reached_.instances.size();
        return std::move(tables_);
    }

  private:
    const Task &task_;
    Reached &reached_;
    int atoms_;
    std::vector<Kind> kind_;
    std::vector<char> at_start_, opposite_;
    std::vector<int> fact_, opposite_fact_; /* by atom; -1: none */
    std::vector<char> has_opposite_;        /* by fact: the next fact */
    Tables tables_;
    /* Of one action: kept, so that each takes no memory anew. */
    std::vector<Fact> before_, adds_, deletes_;
    std::vector<int> added_, deleted_; /* atoms */

    bool is_of_task(int atom) const
    {
        return reached_.atoms[atom].predicate < (int)task_.predicates.size();
    }

    int atom_of(const Literal &literal, const std::vector<int> &objects) const
    {
        return reached_.atoms.find(literal, objects);
    }

    template <class Each> void for_effects(bool negated, Each each) const
    {
        for (const Instance &instance : reached_.instances) {
            const Schema &schema = task_.schemas[(size_t)instance.schema];

            for (const Literal &effect : schema.effects)
                if (effect.negated == negated)
                    each(atom_of(effect, instance.objects));
        }
    }

    void find_kinds()
    {
        at_start_.assign((size_t)atoms_, 0);
        for (const Literal &literal : task_.start)
            at_start_[(size_t)atom_of(literal, {})] = 1;
        kind_.assign((size_t)atoms_, Kind::CHANGES);
        for (int atom = 0; atom < atoms_; atom++) {
            tables_.reached_atoms += is_of_task(atom);
            if (!is_of_task(atom) || at_start_[(size_t)atom])
                kind_[(size_t)atom] = Kind::TRUE;
        }
        for_effects(true, [&](int atom) {
            if (atom >= 0)
                kind_[(size_t)atom] = Kind::CHANGES;
        });
    }

    /* Atoms whose opposite some condition or the goal asks for. */
    void find_opposites()
    {
        opposite_.assign((size_t)atoms_, 0);
        auto add = [&](const Literal &literal,
                       const std::vector<int> &objects) {
            int atom = atom_of(literal, objects);

            if (literal.negated && atom >= 0 &&
                kind_[(size_t)atom] == Kind::CHANGES)
                opposite_[(size_t)atom] = 1;
        };

        for (const Instance &instance : reached_.instances)
            for (const Literal &one :
                 task_.schemas[(size_t)instance.schema].before)
                add(one, instance.objects);
        for (const Literal &literal : task_.goal)
            add(literal, {});
    }

    int add_fact(bool at_start, bool has_opposite)
    {
        if (tables_.facts == MOST_FACTS)
            throw BadInput("the problem has more than " +
                               std::to_string(MOST_FACTS) + " facts",
                           "give a smaller problem");
        if (at_start)
            tables_.start.push_back((Fact)tables_.facts);
        has_opposite_.push_back(has_opposite);
        return (int)tables_.facts++;
    }

    void number_facts()
    {
        fact_.assign((size_t)atoms_, -1);
        opposite_fact_.assign((size_t)atoms_, -1);
        for (int atom = 0; atom < atoms_; atom++) {
            if (kind_[(size_t)atom] != Kind::CHANGES)
                continue;
            bool start = at_start_[(size_t)atom];

            fact_[(size_t)atom] = add_fact(start, opposite_[(size_t)atom]);
            if (opposite_[(size_t)atom])
                opposite_fact_[(size_t)atom] = add_fact(!start, false);
        }
    }

    /* Adds what a literal asks for; false: it is never true. */
    bool ask(const Literal &literal, const std::vector<int> &objects,
             std::vector<Fact> &facts) const
    {
        if (literal.predicate == EQUALS) {
            std::vector<int> both = bound(literal, objects);

            return (both[0] == both[1]) != literal.negated;
        }
        int atom = atom_of(literal, objects);
        Kind kind = atom < 0 ? Kind::FALSE : kind_[(size_t)atom];

        if (kind != Kind::CHANGES)
            return (kind == Kind::TRUE) != literal.negated;
        facts.push_back((Fact)(literal.negated ? opposite_fact_[(size_t)atom]
                                               : fact_[(size_t)atom]));
        return true;
    }

    static void tidy(std::vector<Fact> &facts)
    {
        std::sort(facts.begin(), facts.end());
        facts.erase(std::unique(facts.begin(), facts.end()), facts.end());
    }

    static void without(std::vector<Fact> &facts, const std::vector<Fact> &out)
    {
        facts.erase(std::remove_if(facts.begin(), facts.end(),
                                   [&](Fact fact) {
                                       return std::binary_search(
                                           out.begin(), out.end(), fact);
                                   }),
                    facts.end());
    }

    void add_action(Instance &instance)
    {
        const Schema &schema = task_.schemas[(size_t)instance.schema];

        before_.clear();
        for (const Literal &literal : schema.before)
            if (!ask(literal, instance.objects, before_))
                return;
        collect_effects(schema, instance.objects);
        tidy(before_);
        for (Fact fact : before_)
            if (contradicts(fact, before_))
                return;
        /* What is added stays, even if it is deleted as well; what must be
         * true already is not added. */
        without(deletes_, adds_);
        without(adds_, before_);
        tables_.before.add(before_);
        tables_.adds.add(adds_);
        tables_.deletes.add(deletes_);
        tables_.cost.push_back(cost_of(task_, schema, instance.objects));
        tables_.instances.push_back(std::move(instance));
    }

    /* An atom and its opposite are neighbours. */
    bool contradicts(Fact fact, const std::vector<Fact> &before) const
    {
        return has_opposite_[fact] &&
               std::binary_search(before.begin(), before.end(),
                                  (Fact)(fact + 1));
    }

    void collect_effects(const Schema &schema, const std::vector<int> &objects)
    {
        adds_.clear();
        deletes_.clear();
        added_.clear();
        deleted_.clear();
        for (const Literal &effect : schema.effects) {
            int atom = atom_of(effect, objects);

            if (atom >= 0 && kind_[(size_t)atom] == Kind::CHANGES)
                (effect.negated ? deleted_ : added_).push_back(atom);
        }
        for (int atom : added_) {
            adds_.push_back((Fact)fact_[(size_t)atom]);
            if (opposite_[(size_t)atom])
                deletes_.push_back((Fact)opposite_fact_[(size_t)atom]);
        }
        for (int atom : deleted_) {
            if (std::find(added_.begin(), added_.end(), atom) != added_.end())
                continue;
            deletes_.push_back((Fact)fact_[(size_t)atom]);
            if (opposite_[(size_t)atom])
                adds_.push_back((Fact)opposite_fact_[(size_t)atom]);
        }
        tidy(adds_);
        tidy(deletes_);
    }

    void add_goal()
    {
        for (const Literal &literal : task_.goal)
            tables_.solvable &= ask(literal, {}, tables_.goal);
        tidy(tables_.goal);
    }

    void add_indexes()
    {
        std::vector<std::vector<Action>> needed(tables_.facts),
            added(tables_.facts);

        for (Action action = 0; action < tables_.actions(); action++) {
            for (auto f = tables_.before.begin(action);
                 f != tables_.before.end(action); f++)
                needed[*f].push_back(action);
            for (auto f = tables_.adds.begin(action);
                 f != tables_.adds.end(action); f++)
                added[*f].push_back(action);
            if (!tables_.before.size(action))
                tables_.always.push_back(action);
        }
        for (size_t fact = 0; fact < tables_.facts; fact++) {
            tables_.needed_by.add(needed[fact]);
            tables_.added_by.add(added[fact]);
        }
    }
};
} // namespace

Tables ground(const Task &task)
{
    Reached reached = reach(task);

    return Builder(task, reached).build();
}
} // namespace planner
