/*
 * run.cpp: from words to an exit code. All ranks read and ground the same two
 * files, so all have the same tables; rank 0 alone speaks.
 */
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <memory>
#include <new>

#include "answer/member.h"
#include "answer/report.h"
#include "include/planner.h"
#include "pddl/text.h"
#include "share/batches.h"
#include "words.h"

namespace planner
{
namespace
{
/* Exit codes, those of sysexits.h. */
enum {
    FOUND_PLAN = 0,
    BAD_INPUT = 65,
    NO_PLAN_EXISTS = 69,
    NO_MEMORY = 71,
    NO_OUTPUT = 74,
    NONE_YET = 75
};

uint64_t host_clock()
{
    return (uint64_t)std::chrono::duration_cast<std::chrono::nanoseconds>(
               std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

/* A file that a callback fills; all of it is there, or an error says why. */
template <class Write>
void write_file(const std::string &path, const char *mode, Write write)
{
    FILE *file = std::fopen(path.c_str(), mode);
    bool good = file != nullptr;

    if (file) {
        write(file);
        good = !std::ferror(file);
        good &= std::fclose(file) == 0;
    }
    if (!good)
        throw std::runtime_error(path + ": " + std::strerror(errno));
}

class Run
{
  public:
    Run(const Words &words, Transport *transport)
        : words_(words), transport_(transport),
          rank_(transport ? transport->rank() : 0)
    {
    }

    int all()
    {
        uint64_t begin = now();

        task_ = read_task(words_.shown_domain,
                          read_file(words_.domain, words_.shown_domain),
                          words_.shown_problem,
                          read_file(words_.problem, words_.shown_problem));
        times_.read_ns = now() - begin;
        tables_ = ground(task_);
        times_.ground_ns = now() - begin - times_.read_ns;
        Outcome outcome = tables_.solvable ? search() : hopeless();

        if (rank_ != 0 && !words_.independent)
            return FOUND_PLAN;
        return conclude(outcome);
    }

  private:
    const Words &words_;
    Transport *transport_;
    int rank_;
    Task task_;
    Tables tables_;
    Times times_;

    uint64_t now() const
    {
        return transport_ ? transport_->now() : host_clock();
    }

    std::string own(const std::string &path) const
    {
        return path + "." + std::to_string(rank_);
    }

    bool speaks() const
    {
        return rank_ == 0;
    }

    /* A goal that even relaxed reachability misses: all ranks know it. */
    Outcome hopeless() const
    {
        Outcome outcome;

        outcome.exhausted = true;
        outcome.ranks.resize(1);
        return outcome;
    }

    Outcome search()
    {
        std::unique_ptr<Trace> trace;
        std::unique_ptr<Batches> batches;
        Transport *transport = words_.independent ? nullptr : transport_;

        if (transport && words_.sharing.batch > 1) {
            batches =
                std::make_unique<Batches>(*transport, words_.sharing.batch);
            transport = batches.get();
        }

        if (!words_.trace.empty()) {
            uint64_t zero = shared_now();

            trace =
                std::make_unique<Trace>(own(words_.trace), rank_, [this, zero] {
                    return shared_now() - zero;
                });
        }
        Member member(
            tables_, words_.options, words_.sharing, words_.limits, transport,
            words_.memory, [this] { return now(); }, trace.get(),
            [this](const Plan &plan) { publish(plan); });
        Outcome outcome = member.run();

        if (transport)
            transport->close();

        if (trace && !trace->close())
            throw std::runtime_error(own(words_.trace) + ": " +
                                     std::strerror(errno));
        return outcome;
    }

    uint64_t shared_now() const
    {
        return transport_ ? transport_->shared_now() : host_clock();
    }

    void publish(const Plan &plan)
    {
        auto write = [&](FILE *file) {
            write_plan(file, task_, tables_, plan);
        };

        if (!words_.output.empty() && speaks())
            write_file(words_.output, "w", write);
    }

    int conclude(const Outcome &outcome)
    {
        if (speaks() && words_.output.empty() && outcome.has_plan)
            write_plan(stdout, task_, tables_, outcome.plan);
        if (!words_.report.empty())
            write_file(words_.independent ? own(words_.report) : words_.report,
                       "w", [&](FILE *file) {
                           write_report(file, tables_, outcome, times_);
                       });
        if (speaks())
            write_summary(stderr, outcome);
        if (speaks() && outcome.end == End::MEMORY_FULL)
            std::fprintf(stderr,
                         "planner: rank %d has no memory left: it holds %u"
                         " nodes\nhint: give each rank more, --memory MB\n",
                         outcome.full_rank, (unsigned)outcome.full_nodes);
        if (outcome.has_plan)
            return FOUND_PLAN;
        return outcome.end == End::NO_PLAN   ? NO_PLAN_EXISTS
               : outcome.end == End::TIME_UP ? NONE_YET
                                             : NO_MEMORY;
    }
};

int fail(bool speaks, const std::string &message, const std::string &hint,
         int code)
{
    std::fflush(stdout);
    if (speaks)
        std::fprintf(stderr, "%s\nhint: %s\n", message.c_str(), hint.c_str());
    return code;
}
} // namespace

int run(int argc, char **argv, Transport *transport)
{
    bool speaks = !transport || transport->rank() == 0;

    try {
        Words words = read_words(argc, argv);

        return Run(words, transport).all();
    } catch (const BadInput &error) {
        return fail(speaks, error.what(), error.hint, BAD_INPUT);
    } catch (const std::bad_alloc &) {
        return fail(speaks, "planner: memory is full", "--memory MB less",
                    NO_MEMORY);
    } catch (const std::runtime_error &error) {
        return fail(speaks, error.what(), "name a file that can be written",
                    NO_OUTPUT);
    }
}
} // namespace planner
