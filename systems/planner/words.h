/* The words of the planner's command line. */
#ifndef PLANNER_WORDS_H
#define PLANNER_WORDS_H

#include <string>

#include "answer/outcome.h"
#include "search/search.h"
#include "share/owners.h"

namespace planner
{
struct Words {
    std::string domain, problem;
    std::string shown_domain, shown_problem; /* as messages show them */
    std::string output, report, trace;
    Options options;
    Sharing sharing;
    Limits limits;
    uint64_t memory = 200u << 20; /* most bytes for the nodes of a rank */
    bool independent = false;     /* ranks exchange no messages */
};

/* Reads the words of the command line; throws BadInput if they are wrong. */
Words read_words(int argc, char **argv);
} // namespace planner

#endif
