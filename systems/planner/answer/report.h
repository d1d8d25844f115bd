/* What people and programs get to read. */
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

/* One "(action object ...)" a line; "; cost = N (unit cost)" last. */
void write_plan(FILE *file, const Task &task, const Tables &tables,
                const Plan &plan);
/* JSON: how it ended, the plan's cost, the times, the counts of each rank. */
void write_report(FILE *file, const Tables &tables, const Outcome &outcome,
                  const Times &times);
/* A line that begins with "; ", as comments of plans do. */
void write_summary(FILE *file, const Outcome &outcome);
} // namespace planner

#endif
