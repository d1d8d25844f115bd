/*
 * nodes.cpp: the closed list is a hash table of node numbers; states are
 * compared in full, so that two with one key stay two.
 */
#include "search/nodes.h"

#include <cstring>

#include "state/copy.h"

namespace planner
{
Nodes::Nodes(Memory &memory, size_t words)
    : words_(words), memory_(memory), nodes_(memory), states_(memory),
      actions_(memory), table_(1024, NO_NODE)
{
}

Nodes::Place Nodes::add(Key key, const Word *state)
{
    if (count_ * 2 >= table_.size())
        grow();
    size_t mask = table_.size() - 1, at = (size_t)(key >> 16) & mask;

    for (; table_[at] != NO_NODE; at = (at + 1) & mask) {
        NodeId other = table_[at];

        if ((*this)[other].key == key &&
            !std::memcmp(this->state(other), state, words_ * sizeof(Word)))
            return {other, false};
    }
    NodeId node = nodes_.add(1);
    uint32_t place = states_.add((uint32_t)words_);

    copy_fetched(state, words_, states_.at(place));
    NodeData &data = *nodes_.at(node);

    fetch_lines(&data, sizeof data);
    data = NodeData();
    data.key = key;
    data.state = place;
    table_[at] = node;
    count_++;
    return {node, true};
}

void Nodes::grow()
{
    uint64_t bytes = table_.size() * sizeof(NodeId);

    if (memory_.used + bytes > memory_.most)
        throw MemoryFull();
    memory_.used += bytes;
    std::vector<NodeId> larger(table_.size() * 2, NO_NODE);
    size_t mask = larger.size() - 1;

    for (NodeId node = 0; node < count_; node++) {
        size_t at = (size_t)((*this)[node].key >> 16) & mask;

        while (larger[at] != NO_NODE)
            at = (at + 1) & mask;
        larger[at] = node;
    }
    table_.swap(larger);
}

uint32_t Nodes::store(const Action *actions, size_t count)
{
    if (count > Pool<Action>::PIECE)
        throw MemoryFull();
    uint32_t first = actions_.add((uint32_t)count);

    if (count)
        copy_fetched(actions, count, actions_.at(first));
    return first;
}
} // namespace planner
