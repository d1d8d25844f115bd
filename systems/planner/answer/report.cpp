/*
 * report.cpp: the plan in the form of the planning competitions, a summary, and
 * a report for programs.
 */
#include "answer/report.h"

#include <cinttypes>

namespace planner
{
namespace
{
/* By Statistic. */
const char *const NAMES[STATISTICS] = {
    "evaluated", "expanded",    "generated", "duplicates", "dead_ends",
    "pruned",    "lookahead",   "nodes",     "sent",       "taken",
    "bytes",     "stalls",      "memory",    "search_ns",  "waiting_ns",
    "unfed_ns",  "hadd_cycles",
};
const char *const ENDS[] = {"solved", "no plan", "time up", "memory full"};

uint64_t sum_of(const Outcome &outcome, Statistic which)
{
    uint64_t sum = 0;

    for (const Numbers &numbers : outcome.ranks)
        sum += numbers[which];
    return sum;
}
} // namespace

void write_plan(FILE *file, const Task &task, const Tables &tables,
                const Plan &plan)
{
    for (Action action : plan.actions)
        std::fprintf(file, "%s\n",
                     name_of_action(task, tables, action).c_str());
    std::fprintf(file, "; cost = %" PRIu64 " (%s cost)\n", plan.cost,
                 tables.unit_cost ? "unit" : "general");
}

void write_report(FILE *file, const Tables &tables, const Outcome &outcome,
                  const Times &times)
{
    std::fprintf(file, "{\"end\": \"%s\", \"exhausted\": %s",
                 ENDS[(int)outcome.end], outcome.exhausted ? "true" : "false");
    if (outcome.has_plan)
        std::fprintf(file,
                     ", \"length\": %zu, \"cost\": %" PRIu64
                     ", \"found_ns\": %" PRIu64,
                     outcome.plan.actions.size(), outcome.plan.cost,
                     outcome.plan.found_ns);
    if (outcome.full_rank >= 0)
        std::fprintf(file, ", \"full_rank\": %d, \"full_nodes\": %u",
                     outcome.full_rank, (unsigned)outcome.full_nodes);
    std::fprintf(file,
                 ", \"facts\": %zu, \"actions\": %zu, \"reached_atoms\": %zu,"
                 " \"reached_actions\": %zu, \"read_ns\": %" PRIu64
                 ", \"ground_ns\": %" PRIu64 ", \"ranks\": [",
                 tables.facts, tables.actions(), tables.reached_atoms,
                 tables.reached_actions, times.read_ns, times.ground_ns);
    for (size_t rank = 0; rank < outcome.ranks.size(); rank++) {
        std::fprintf(file, "%s\n {", rank ? "," : "");
        for (unsigned n = 0; n < STATISTICS; n++)
            std::fprintf(file, "%s\"%s\": %" PRIu64, n ? ", " : "", NAMES[n],
                         outcome.ranks[rank][n]);
        std::fprintf(file, "}");
    }
    std::fprintf(file, "]}\n");
}

void write_summary(FILE *file, const Outcome &outcome)
{
    std::fprintf(
        file,
        "; %s: %" PRIu64 " evaluated, %" PRIu64 " generated, %" PRIu64
        " messages, %.3f ms\n",
        outcome.end == End::NO_PLAN ? "no plan exists" : ENDS[(int)outcome.end],
        sum_of(outcome, EVALUATED), sum_of(outcome, GENERATED),
        sum_of(outcome, SENT),
        outcome.ranks.empty() ? 0.0
                              : (double)outcome.ranks[0][SEARCH_NS] / 1e6);
}
} // namespace planner
