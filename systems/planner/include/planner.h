/* The planner's entry point, which its main function calls. */
#ifndef PLANNER_H
#define PLANNER_H

namespace planner
{
class Transport;

/* Reads the words of the command line, plans, and writes the plan; returns the
 * exit code. Without a transport, this process plans alone. */
int run(int argc, char **argv, Transport *transport);
} // namespace planner

#endif
