/* The two algorithms of the planner: computing a node, and expanding it
 * [marc-2011]. The caller decides what happens to a child. */
#ifndef PLANNER_SEARCH_SEARCH_H
#define PLANNER_SEARCH_SEARCH_H

#include <cstdint>
#include <functional>

#include "hadd/hadd.h"
#include "lookahead/lookahead.h"
#include "search/nodes.h"
#include "search/open.h"
#include "search/trace.h"

namespace planner
{
struct Options {
    uint32_t weight = 3; /* of h_add; a node's estimate: length + weight * h */
    bool lookahead = true;
    bool reopen = false;   /* expand states again at less cost */
    bool spread = false;   /* a lookahead's state goes to its owner */
    bool has_ties = false; /* random order among equals, from `ties` */
    uint32_t ties = 0;
};

/* The counts of a rank's work. */
struct Counts {
    uint64_t evaluated = 0, expanded = 0, generated = 0, duplicates = 0;
    uint64_t dead_ends = 0, lookahead_steps = 0, pruned = 0, reopened = 0;
    uint64_t hadd_cycles = 0;
};

/* A successor state that was generated, and that becomes a node unless it is
 * known already. */
struct Child {
    State state;
    Key key;
    Origin origin;
    uint32_t length, cost;
    const Action *steps; /* actions since the origin */
    uint32_t step_count;
};

class Search
{
  public:
    /* Returns true when the time for the search is over. */
    using Over = std::function<bool()>;

    /* Sends a state to the rank that owns it; false if this rank does. */
    using Away = std::function<bool(const Child &)>;

    Search(const Tables &tables, const States &states, Options options,
           Memory &memory, Trace *trace, Over is_over, Away send_away);

    /* Evaluates a child's state, and the state that lookahead reaches from it,
     * and so on, unless that one is sent away (Options::spread); adds those from
     * which the goal is reachable to the open list. Returns the node of a goal,
     * or NO_NODE: none, or the time is over. Throws MemoryFull. */
    NodeId compute(const Child &child);
    bool has_open() const
    {
        return !open_.empty();
    }
    /* Removes the best node from the open list, which must not be empty, and
     * calls `each` with each of its children, which are valid during the call.
     * If `each` returns false, the remaining children are left out. A node that
     * cannot be better than the bound of `improve` has no children. */
    template <class Each> void expand(Each each);
    /* From now on, nodes are dropped if a plan through them cannot be better
     * than `bound`. */
    void improve(uint32_t bound)
    {
        bound_ = bound;
    }
    /* The measure of a plan, smaller is better: its cost, or its length if all
     * actions cost 1. */
    uint32_t quality(uint32_t length, uint32_t cost) const
    {
        return tables_.unit_cost ? length : cost;
    }
    Child start() const;

    Nodes nodes;
    Counts counts;

  private:
    const Tables &tables_;
    const States &states_;
    Options options_;
    Trace *trace_;
    Over is_over_;
    Away send_away_;
    Hadd hadd_;
    Lookahead lookahead_;
    Open open_;
    uint32_t order_ = 0;
    uint32_t bound_ = UINT32_MAX;
    Child child_; /* the one that expand generates */
    Child next_;  /* the one that lookahead reaches */

    void evaluate(NodeId node);
    void add_open(NodeId node);
    void queue(NodeId node);
    void come_from(NodeId node, const Child &child);
    NodeId meet_again(NodeId node, const Child &child);
    bool look_ahead(NodeId node);
};

template <class Each> void Search::expand(Each each)
{
    NodeId node = open_.take();
    const NodeData &data = nodes[node];
    const Action *action = nodes.actions(data.applicable);
    const Action *end = action + data.applicable_count;

    if (quality(data.length, data.cost) >= bound_) {
        counts.pruned++;
        return;
    }
    counts.expanded++;
    if (trace_)
        trace_->expanded(data, open_.size());
    for (; action != end; action++) {
        child_.state.assign(nodes.state(node),
                            nodes.state(node) + states_.words());
        child_.key = data.key;
        states_.apply(child_.state.data(), child_.key, *action);
        child_.origin = {-1, node};
        child_.length = data.length + 1;
        child_.cost = added(data.cost, tables_.cost[*action]);
        child_.steps = action;
        child_.step_count = 1;
        counts.generated++;
        if (!each(child_))
            return;
    }
}
} // namespace planner

#endif
