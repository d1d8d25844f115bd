/*
 * trace.cpp: writes a search down. It takes the chip's time, so a run with it
 * is another run than one without.
 */
#include "search/trace.h"

#include <cerrno>
#include <cinttypes>
#include <cstring>

#include "pddl/text.h"

namespace planner
{
Trace::Trace(const std::string &path, int rank, Clock clock)
    : file_(std::fopen(path.c_str(), "w")), rank_(rank), clock_(clock)
{
    if (!file_)
        throw BadInput(path + ": " + std::strerror(errno),
                       "name a file that can be written");
}

Trace::~Trace()
{
    close();
}

bool Trace::close()
{
    bool good = true;

    if (file_)
        good = std::fclose(file_) == 0;
    file_ = nullptr;
    return good;
}

void Trace::expanded(const NodeData &node, size_t open)
{
    record("expand", node, 0, open);
}

void Trace::evaluated(const NodeData &node, Key parent, size_t open)
{
    record("evaluate", node, parent, open);
}

void Trace::record(const char *what, const NodeData &node, Key parent,
                   size_t open)
{
    std::fprintf(file_,
                 "{\"rank\":%d,\"ns\":%" PRIu64 ",\"what\":\"%s\",\"key\":"
                 "\"%016" PRIx64 "\"",
                 rank_, clock_(), what, node.key);
    if (parent)
        std::fprintf(file_, ",\"parent\":\"%016" PRIx64 "\"", parent);
    std::fprintf(file_, ",\"g\":%u,\"h\":%u,\"open\":%zu}\n",
                 (unsigned)node.length, (unsigned)node.heuristic, open);
}
} // namespace planner
