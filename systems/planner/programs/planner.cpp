/* The planner on the chip: `rck run -n 48 planner DOMAIN PROBLEM`. */
#include "chip/rings.h"
#include "include/planner.h"

int main(int argc, char **argv)
{
    planner::Rings rings;

    return planner::run(argc, argv, &rings);
}
