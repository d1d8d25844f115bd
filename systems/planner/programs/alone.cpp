/* The planner as one process, without a chip: for the host. */
#include "include/planner.h"

int main(int argc, char **argv)
{
    return planner::run(argc, argv, nullptr);
}
