/* Writes a search's results: as text for people, and as JSON for programs. */
#ifndef PLANNER_ANSWER_REPORT_H
#define PLANNER_ANSWER_REPORT_H

#include <cstdio>
#include <string>

#include "answer/outcome.h"
#include "pddl/task.h"

namespace planner
{
struct Times {
    uint64_t read_ns = 0, ground_ns = 0;
};

/* Writes the plan: "(action object ...)" on each line, and "; cost = N (unit
 * cost)", or with a metric "(general cost)", at the end. */
void write_plan(FILE *file, const Task &task, const Tables &tables,
                const Plan &plan);
/* Writes JSON: how the job ended, the plan's cost, the times, the counts of
 * each rank. */
void write_report(FILE *file, const Tables &tables, const Outcome &outcome,
                  const Times &times);
/* Writes a line that begins with "; ", as comments in plans do: how the search
 * ended, sums over the ranks of nodes evaluated and generated and of states
 * sent ("messages"), and rank 0's time. */
void write_summary(FILE *file, const Outcome &outcome);
} // namespace planner

#endif
