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
    EVALUATED, /* states whose h_add was computed */
    EXPANDED,
    GENERATED, /* children */
    DUPLICATES,
    DEAD_ENDS, /* states from which the goal is unreachable */
    PRUNED,    /* left out: no better than the best plan */
    LOOKAHEAD_STEPS,
    NODES,
    SENT,        /* states to other ranks */
    TAKEN,       /* states from other ranks */
    BYTES,       /* sent in messages of all kinds */
    STALLS,      /* sends that waited for room */
    MEMORY,      /* bytes */
    SEARCH_NS,   /* until the search was ended, on this rank */
    WAITING_NS,  /* of it, without work */
    UNFED_NS,    /* of that, before the first state came */
    HADD_CYCLES, /* core cycles in h_add */
    STATISTICS
};
using Numbers = std::array<uint64_t, STATISTICS>;

/* A plan that the search found: cheaper than all that it found before. */
struct Plan {
    std::vector<Action> actions;
    uint64_t cost = 0;
    uint64_t found_ns = 0; /* since the search began */
};

struct Outcome {
    End end = End::NO_PLAN;
    bool has_plan = false;  /* `plan` is the best one found */
    bool exhausted = false; /* all states seen, or too costly */
    Plan plan;
    std::vector<Numbers> ranks;
    int full_rank = -1;      /* the first whose memory was full; -1: none */
    uint32_t full_nodes = 0; /* how many nodes it had */
};

struct Limits {
    uint64_t time_ns = UINT64_MAX; /* of simulated time on the chip */
    bool anytime = false;          /* continues for better plans */
};

using Publish = std::function<void(const Plan &)>;
} // namespace planner

#endif
