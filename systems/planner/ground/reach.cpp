/*
 * reach.cpp: semi-naive joins. Each atom, as it is reached, is put into every
 * condition that it fits; the other conditions of that action are looked up
 * among the atoms that were there before, the one with the fewest candidates
 * first. Static atoms are the first to be there, so they are joined first, and
 * an action is made only if it can happen.
 */
#include "ground/reach.h"

#include "pddl/text.h"

namespace planner
{
namespace
{
constexpr size_t MOST_INSTANCES = 2000000;
constexpr int UNBOUND = -1;

/* A condition that must be true: of the schema, or a parameter's types. */
struct Condition {
    int predicate;
    std::vector<Argument> arguments;
};

class Reacher
{
  public:
    explicit Reacher(const Task &task) : task_(task)
    {
        reached_.is_static.assign(task.predicates.size(), 1);
        for (const Schema &schema : task.schemas)
            for (const Literal &effect : schema.effects)
                reached_.is_static[(size_t)effect.predicate] = 0;
        reached_.is_static[EQUALS] = 1;
        first_type_ = (int)task.predicates.size();
        for (size_t n = 0; n < task.schemas.size(); n++)
            add_conditions((int)n);
        lists_.resize((size_t)first_type_ + type_sets_.size());
    }

    Reached run()
    {
        add_start();
        for (size_t n = 0; n < task_.schemas.size(); n++)
            if (conditions_[n].empty())
                start_join((int)n, -1, -1);
        for (int n = 0; n < reached_.atoms.count(); n++)
            take(n);
        return std::move(reached_);
    }

  private:
    const Task &task_;
    Reached reached_;
    int first_type_;
    std::vector<TypeSet> type_sets_;
    std::vector<std::vector<Condition>> conditions_; /* by schema */
    /* Where a predicate stands as a condition: schema and place. */
    std::unordered_map<int, std::vector<std::pair<int, int>>> uses_;
    /* Atoms that were taken: by predicate, and by argument and object. */
    struct Index {
        std::vector<int> all;
        std::vector<std::unordered_map<int, std::vector<int>>> by_argument;
    };
    std::vector<Index> lists_;
    /* The join that is going on. */
    int schema_ = 0, trigger_place_ = 0, trigger_ = 0;
    std::vector<int> binding_, bound_; /* by parameter; parameters in turn */
    std::vector<char> done_;

    void add_conditions(int number)
    {
        const Schema &schema = task_.schemas[(size_t)number];
        std::vector<Condition> all;

        for (size_t n = 0; n < schema.parameters.size(); n++)
            all.push_back(
                {first_type_ + type_set(schema.parameters[n]), {~(int)n}});
        for (const Literal &literal : schema.before)
            if (!literal.negated && literal.predicate != EQUALS)
                all.push_back({literal.predicate, literal.arguments});
        for (size_t n = 0; n < all.size(); n++)
            uses_[all[n].predicate].push_back({number, (int)n});
        conditions_.push_back(std::move(all));
    }

    int type_set(const TypeSet &types)
    {
        for (size_t n = 0; n < type_sets_.size(); n++)
            if (type_sets_[n] == types)
                return (int)n;
        type_sets_.push_back(types);
        return (int)type_sets_.size() - 1;
    }

    /* Types and static atoms first. */
    void add_start()
    {
        for (size_t set = 0; set < type_sets_.size(); set++)
            for (size_t object = 0; object < task_.objects.size(); object++)
                if (task_.fits((int)object, type_sets_[set]))
                    reached_.atoms.add(first_type_ + (int)set, {(int)object});
        for (bool is_static : {true, false})
            for (const Literal &atom : task_.start)
                if ((bool)reached_.is_static[(size_t)atom.predicate] ==
                    is_static)
                    reached_.atoms.add(atom.predicate, atom.arguments);
    }

    /* An atom is there from now on, and joins with those before it. */
    void take(int number)
    {
        int predicate = reached_.atoms[number].predicate;
        const std::vector<int> objects = reached_.atoms[number].objects;
        Index &index = lists_[(size_t)predicate];

        index.all.push_back(number);
        index.by_argument.resize(objects.size());
        for (size_t n = 0; n < objects.size(); n++)
            index.by_argument[n][objects[n]].push_back(number);
        auto uses = uses_.find(predicate);

        if (uses == uses_.end())
            return;
        for (auto [schema, place] : uses->second)
            start_join(schema, place, number);
    }

    void start_join(int schema, int place, int atom)
    {
        schema_ = schema;
        trigger_place_ = place;
        trigger_ = atom;
        binding_.assign(task_.schemas[(size_t)schema].parameters.size(),
                        UNBOUND);
        done_.assign(conditions_[(size_t)schema].size(), 0);
        if (place < 0)
            join();
        else
            match(place, atom);
    }

    /* Binds the condition's parameters by this atom, and goes on. */
    void match(int place, int number)
    {
        const Condition &condition =
            conditions_[(size_t)schema_][(size_t)place];
        size_t bound_before = bound_.size();
        bool fits = true;

        for (size_t n = 0; fits && n < condition.arguments.size(); n++) {
            int argument = condition.arguments[n];
            int object = reached_.atoms[number].objects[n];

            if (argument >= 0) {
                fits = argument == object;
            } else if (binding_[(size_t)~argument] == UNBOUND) {
                binding_[(size_t)~argument] = object;
                bound_.push_back(~argument);
            } else {
                fits = binding_[(size_t)~argument] == object;
            }
        }
        if (fits && equal_as_asked()) {
            done_[(size_t)place] = 1;
            join();
            done_[(size_t)place] = 0;
        }
        for (; bound_.size() > bound_before; bound_.pop_back())
            binding_[(size_t)bound_.back()] = UNBOUND;
    }

    /* What (= a b) and (not (= a b)) say of those that are bound. */
    bool equal_as_asked() const
    {
        for (const Literal &literal : task_.schemas[(size_t)schema_].before) {
            if (literal.predicate != EQUALS)
                continue;
            int a = value(literal.arguments[0]),
                b = value(literal.arguments[1]);

            if (a != UNBOUND && b != UNBOUND && (a == b) == literal.negated)
                return false;
        }
        return true;
    }

    int value(Argument argument) const
    {
        return argument >= 0 ? argument : binding_[(size_t)~argument];
    }

    /* The open condition with the fewest candidates; all are matched. */
    void join()
    {
        const std::vector<Condition> &all = conditions_[(size_t)schema_];
        const std::vector<int> *best = nullptr;
        int place = -1;

        for (size_t n = 0; n < all.size(); n++) {
            if (done_[n])
                continue;
            const std::vector<int> *found = candidates(all[n]);

            if (!best || found->size() < best->size()) {
                best = found;
                place = (int)n;
            }
        }
        if (place < 0) {
            add_instance();
            return;
        }
        /* Conditions before the trigger's take older atoms alone: else an
         * action would be made once for each of its conditions that the
         * trigger fits. The list does not change meanwhile. */
        for (int number : *best)
            if (number != trigger_ || place > trigger_place_)
                match(place, number);
    }

    const std::vector<int> *candidates(const Condition &condition) const
    {
        static const std::vector<int> none;
        const Index &index = lists_[(size_t)condition.predicate];
        const std::vector<int> *best = &index.all;

        for (size_t n = 0; n < index.by_argument.size(); n++) {
            int object = value(condition.arguments[n]);

            if (object == UNBOUND)
                continue;
            auto found = index.by_argument[n].find(object);

            if (found == index.by_argument[n].end())
                return &none;
            if (found->second.size() < best->size())
                best = &found->second;
        }
        return best;
    }

    void add_instance()
    {
        const Schema &schema = task_.schemas[(size_t)schema_];

        if (!equal_as_asked())
            return;
        for (const Literal &literal : schema.before)
            if (literal.negated &&
                reached_.is_static[(size_t)literal.predicate] &&
                literal.predicate != EQUALS &&
                reached_.atoms.find(literal, binding_) >= 0)
                return;
        if (reached_.instances.size() == MOST_INSTANCES)
            throw BadInput("the problem has more than " +
                               std::to_string(MOST_INSTANCES) + " actions",
                           "give a smaller problem");
        reached_.instances.push_back({schema_, binding_});
        for (const Literal &effect : schema.effects)
            if (!effect.negated)
                reached_.atoms.add(effect, binding_);
    }
};
} // namespace

Reached reach(const Task &task)
{
    return Reacher(task).run();
}
} // namespace planner
