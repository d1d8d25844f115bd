/*
 * search.cpp: compute-node, with its recursion as a loop.
 */
#include "search/search.h"

namespace planner
{
static inline uint64_t cycles()
{
    return __builtin_ia32_rdtsc();
}

Search::Search(const Tables &tables, const States &states, Options options,
               Memory &memory, Trace *trace, Over is_over, Away send_away)
    : nodes(memory, states.words()), tables_(tables), states_(states),
      options_(options), trace_(trace), is_over_(std::move(is_over)),
      send_away_(std::move(send_away)), hadd_(tables),
      lookahead_(tables, states)
{
}

Child Search::start() const
{
    Child child{states_.start(), 0, {}, 0, 0, nullptr, 0};

    child.key = states_.key(child.state.data());
    return child;
}

void Search::evaluate(NodeId node)
{
    uint64_t before = cycles();

    hadd_.compute(nodes.state(node));
    counts.hadd_cycles += cycles() - before;
    counts.evaluated++;
    nodes[node].heuristic = hadd_.cost_of_goal();
}

void Search::add_open(NodeId node)
{
    NodeData &data = nodes[node];

    data.applicable =
        nodes.store(hadd_.applicable().data(), hadd_.applicable().size());
    data.applicable_count = (uint32_t)hadd_.applicable().size();
    queue(node);
}

void Search::queue(NodeId node)
{
    const NodeData &data = nodes[node];
    uint64_t value = data.length + (uint64_t)options_.weight * data.heuristic;
    uint32_t order = order_++;

    if (options_.has_ties)
        order = (uint32_t)mixed(data.key ^ mixed(options_.ties));
    open_.add(value, order, node);
}

void Search::come_from(NodeId node, const Child &child)
{
    NodeData &data = nodes[node];

    data.origin = child.origin;
    data.length = child.length;
    data.cost = child.cost;
    data.steps = nodes.store(child.steps, child.step_count);
    data.step_count = child.step_count;
}

/* A state that was seen before. Published: it is dropped. A search for better
 * plans takes the cheaper way to it and expands it once more; no circle can
 * come of it, since a way through the state itself costs no less. */
NodeId Search::meet_again(NodeId node, const Child &child)
{
    const NodeData &data = nodes[node];

    if (!options_.reopen ||
        quality(child.length, child.cost) >= quality(data.length, data.cost)) {
        counts.duplicates++;
        return NO_NODE;
    }
    counts.reopened++;
    come_from(node, child);
    if (data.heuristic == 0)
        return node;
    if (data.heuristic != Hadd::NEVER)
        queue(node);
    return NO_NODE;
}

/* What lookahead makes of a node, in next_; false: nothing. */
bool Search::look_ahead(NodeId node)
{
    const NodeData &data = nodes[node];

    next_.state.assign(nodes.state(node), nodes.state(node) + states_.words());
    next_.key = data.key;
    const std::vector<Action> &steps =
        lookahead_.run(hadd_, next_.state.data(), next_.key);

    next_.origin = {-1, node};
    next_.length = data.length + (uint32_t)steps.size();
    next_.cost = data.cost;
    for (Action action : steps)
        next_.cost = added(next_.cost, tables_.cost[action]);
    next_.steps = steps.data();
    next_.step_count = (uint32_t)steps.size();
    counts.lookahead_steps += steps.size();
    return !steps.empty();
}

NodeId Search::compute(const Child &child)
{
    const Child *now = &child;
    Key parent = 0;

    while (!is_over_()) {
        if (quality(now->length, now->cost) >= bound_) {
            counts.pruned++;
            return NO_NODE;
        }
        auto [node, is_new] = nodes.add(now->key, now->state.data());

        if (!is_new)
            return meet_again(node, *now);
        NodeData &data = nodes[node];

        come_from(node, *now);
        if (now->origin.rank < 0 && now->origin.number != NO_NODE)
            parent = nodes[now->origin.number].key;
        evaluate(node);
        if (trace_)
            trace_->evaluated(data, parent, open_.size());
        if (data.heuristic == 0)
            return node;
        if (data.heuristic == Hadd::NEVER) {
            counts.dead_ends++;
            return NO_NODE;
        }
        add_open(node);
        if (!options_.lookahead || !look_ahead(node) ||
            (options_.spread && send_away_(next_)))
            return NO_NODE;
        now = &next_;
    }
    return NO_NODE;
}
} // namespace planner
