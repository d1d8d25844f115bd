/* The start of a problem as the planner sees it, on the host: h_add, the
 * applicable actions, and every atom that relaxed reachability finds.
 *
 *     start DOMAIN PROBLEM
 */
#include <cstdio>

#include "ground/tables.h"
#include "hadd/hadd.h"
#include "pddl/text.h"
#include "state/state.h"

using namespace planner;

static Task read(const char *domain, const char *problem)
{
    return read_task(domain, read_file(domain, domain), problem,
                     read_file(problem, problem));
}

static void print_start(const Task &task)
{
    Tables tables = ground(task);
    States states(tables);
    Hadd hadd(tables);

    hadd.compute(states.start().data());
    if (!tables.solvable || hadd.cost_of_goal() == Hadd::NEVER)
        std::printf("h_add inf\n");
    else
        std::printf("h_add %u\n", (unsigned)hadd.cost_of_goal());
    for (Action action : hadd.applicable())
        std::printf("applicable %s\n",
                    name_of_action(task, tables, action).c_str());
}

static void print_atoms(const Task &task)
{
    Reached reached = reach(task);

    for (int n = 0; n < reached.atoms.count(); n++) {
        const Atoms::Atom &atom = reached.atoms[n];

        /* Predicates behind the task's are types. */
        if (atom.predicate < (int)task.predicates.size())
            std::printf("atom %s\n",
                        term_of(task,
                                task.predicates[(size_t)atom.predicate].name,
                                atom.objects)
                            .c_str());
    }
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 64;
    try {
        Task task = read(argv[1], argv[2]);

        print_start(task);
        print_atoms(task);
    } catch (const BadInput &error) {
        std::fprintf(stderr, "%s\nhint: %s\n", error.what(),
                     error.hint.c_str());
        return 65;
    }
    return 0;
}
