/* The nodes of the search that this rank holds, and the states that it has
 * seen. */
#ifndef PLANNER_SEARCH_NODES_H
#define PLANNER_SEARCH_NODES_H

#include <cstdint>
#include <vector>

#include "search/pool.h"
#include "state/state.h"

namespace planner
{
using NodeId = uint32_t;
constexpr NodeId NO_NODE = UINT32_MAX;

/* The origin of a node: a node of this rank, or a record on the rank that sent
 * the state; the start has neither. */
struct Origin {
    int32_t rank = -1; /* -1: this rank */
    uint32_t number = NO_NODE;
};

struct NodeData {
    Key key;
    Origin origin;
    uint32_t steps, step_count; /* actions from the origin to it */
    uint32_t applicable, applicable_count;
    uint32_t state;
    uint32_t length, cost; /* of the plan from the start to it */
    uint32_t heuristic;
};

class Nodes
{
  public:
    Nodes(Memory &memory, size_t words);

    struct Place {
        NodeId node;
        bool is_new; /* the caller completes it */
    };
    /* Finds the node of a state, which is compared in full, or adds one. Throws
     * MemoryFull. */
    Place add(Key key, const Word *state);
    NodeData &operator[](NodeId node)
    {
        return *nodes_.at(node);
    }
    const NodeData &operator[](NodeId node) const
    {
        return *nodes_.at(node);
    }
    const Word *state(NodeId node) const
    {
        return states_.at((*this)[node].state);
    }
    uint32_t count() const
    {
        return count_;
    }
    /* Stores a list of at most Pool::PIECE actions; returns its number, for
     * actions(). Throws MemoryFull. */
    uint32_t store(const Action *actions, size_t count);
    const Action *actions(uint32_t first) const
    {
        return actions_.at(first);
    }

  private:
    size_t words_;
    Memory &memory_;
    Pool<NodeData> nodes_;
    Pool<Word> states_;
    Pool<Action> actions_;
    uint32_t count_ = 0;
    std::vector<NodeId> table_; /* closed: open addressing by key */

    void grow();
};
} // namespace planner

#endif
