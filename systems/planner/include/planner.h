/* The planner as a program: what a main function hands over to it. */
#ifndef PLANNER_H
#define PLANNER_H

namespace planner
{
class Transport;

/* Reads the words of the command line, plans, writes the plan; the exit code.
 * Without a transport this process plans alone. */
int run(int argc, char **argv, Transport *transport);
} // namespace planner

#endif
