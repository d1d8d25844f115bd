/* Records when each node was evaluated or expanded, in lines of JSON. */
#ifndef PLANNER_SEARCH_TRACE_H
#define PLANNER_SEARCH_TRACE_H

#include <cstdint>
#include <cstdio>
#include <functional>
#include <string>

#include "search/nodes.h"

namespace planner
{
class Trace
{
  public:
    /* Nanoseconds since the search began, by a clock that all ranks share. */
    using Clock = std::function<uint64_t()>;

    /* Throws BadInput if the file cannot be written. */
    Trace(const std::string &path, int rank, Clock clock);
    ~Trace();
    Trace(const Trace &) = delete;
    Trace &operator=(const Trace &) = delete;

    /* `open`: nodes in the open list; `parent`: 0 if it is on another rank. */
    void expanded(const NodeData &node, size_t open);
    void evaluated(const NodeData &node, Key parent, size_t open);
    /* Closes the file; true if all records were written to it. */
    bool close();

  private:
    FILE *file_;
    int rank_;
    Clock clock_;

    void record(const char *what, const NodeData &node, Key parent,
                size_t open);
};
} // namespace planner

#endif
