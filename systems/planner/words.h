/* The words of the planner's command line. */
#ifndef PLANNER_WORDS_H
#define PLANNER_WORDS_H

#include <string>

#include "answer/outcome.h"
#include "search/search.h"

namespace planner
{
struct Words {
    std::string domain, problem;
    std::string shown_domain, shown_problem; /* their names in messages */
    std::string output, report, trace;
    Options options;
    Limits limits;
    uint64_t memory = 200u << 20; /* bytes a rank may take for nodes */
    bool independent = false;     /* ranks do not speak to each other */
    bool show_start = false;      /* h_add of the start, and no search */
};

/* Throws what is wrong with them. */
Words read_words(int argc, char **argv);
} // namespace planner

#endif
