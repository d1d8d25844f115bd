/* The outcome of a job: how it ended, and what it cost. */
#ifndef PLANNER_ANSWER_OUTCOME_H
#define PLANNER_ANSWER_OUTCOME_H

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "ground/tables.h"

namespace planner
{
enum class End { SOLVED, NO_PLAN, TIME_UP, MEMORY_FULL };

/* The counts of each rank; report.cpp has their names in the report. */
enum Statistic : unsigned {
    EVALUATED,
    EXPANDED,
    GENERATED,
    DUPLICATES,
    DEAD_ENDS,
    PRUNED,
    LOOKAHEAD_STEPS,
    NODES,
    SENT,
    TAKEN,
    BYTES,
    STALLS,
    MEMORY,
    SEARCH_NS,
    WAITING_NS,
    HADD_CYCLES,
    STATISTICS
};
using Numbers = std::array<uint64_t, STATISTICS>;

/* A plan that the search found: cheaper than all that it found before. */
struct Plan {
    std::vector<Action> actions;
    uint32_t cost = 0;
    uint64_t found_ns = 0; /* since the search began */
};

struct Outcome {
    End end = End::NO_PLAN;
    bool has_plan = false;
    bool exhausted = false; /* all states seen, or too costly */
    Plan plan;
    std::vector<Numbers> ranks;
    int full_rank = -1;
    uint32_t full_nodes = 0;
};

struct Limits {
    uint64_t time_ns = UINT64_MAX;
    bool anytime = false; /* continues for better plans */
};

using Publish = std::function<void(const Plan &)>;
} // namespace planner

#endif
