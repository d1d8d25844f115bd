/* The open list: nodes in the order of their estimates, the oldest first among
 * equals. */
#ifndef PLANNER_SEARCH_OPEN_H
#define PLANNER_SEARCH_OPEN_H

#include <algorithm>
#include <cstdint>
#include <vector>

#include "search/nodes.h"

namespace planner
{
class Open
{
  public:
    void add(uint64_t value, uint32_t order, NodeId node)
    {
        heap_.push_back({value, order, node});
        std::push_heap(heap_.begin(), heap_.end());
    }
    bool empty() const
    {
        return heap_.empty();
    }
    size_t size() const
    {
        return heap_.size();
    }
    NodeId take()
    {
        std::pop_heap(heap_.begin(), heap_.end());
        NodeId node = heap_.back().node;

        heap_.pop_back();
        return node;
    }

  private:
    struct Entry {
        uint64_t value;
        uint32_t order;
        NodeId node;
        /* The order of a heap, whose top is the largest entry: so a smaller
         * estimate counts as larger. */
        bool operator<(const Entry &other) const
        {
            return value != other.value ? value > other.value
                                        : order > other.order;
        }
    };
    std::vector<Entry> heap_;
};
} // namespace planner

#endif
