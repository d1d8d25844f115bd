/* The planner's entry point, which its main function calls. */
#ifndef PLANNER_H
#define PLANNER_H

namespace planner
{
class Transport;

/* Reads the words of the command line, plans, and writes the plan; called on
 * all ranks. Returns the exit code: 0 (a plan; also ranks other than 0), 65
 * (wrong input), 69 (no plan exists), 71 (no memory), 74 (a file cannot be
 * written), 75 (no plan within the limit). Without a transport (null), this
 * process plans alone. */
int run(int argc, char **argv, Transport *transport);
} // namespace planner

#endif
