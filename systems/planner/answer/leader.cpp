/*
 * leader.cpp: a goal is reported by the rank that has found it; its plan is
 * followed back from rank to rank, while all others go on.
 */
#include "answer/leader.h"

#include <algorithm>

namespace planner
{
Leader::Leader(Courier &courier, Limits limits, const Tables &tables,
               Publish publish)
    : courier_(courier), limits_(limits), tables_(tables),
      publish_(std::move(publish)), missing_(courier.ranks())
{
    outcome_.ranks.resize((size_t)courier.ranks());
}

void Leader::broadcast(Kind kind, uint32_t cost)
{
    Message message = courier_.message();

    message.head().kind = kind;
    message.head().cost = cost;
    for (int rank = 0; rank < courier_.ranks(); rank++)
        courier_.send(rank, message);
}

bool Leader::take(const Message &message, int from, uint64_t now)
{
    const Head &head = message.head();

    switch (head.kind) {
    case Kind::FOUND:
        found(message, from);
        return true;
    case Kind::STEPS:
        steps(message, now);
        return true;
    case Kind::FULL:
        if (outcome_.full_rank < 0) {
            outcome_.full_rank = from;
            outcome_.full_nodes = head.number;
        }
        halt(End::MEMORY_FULL);
        return true;
    case Kind::STATISTIC:
        outcome_.ranks[(size_t)from][head.number] = head.key;
        if (head.number + 1 == STATISTICS)
            missing_--;
        return true;
    default:
        return false;
    }
}

void Leader::found(const Message &message, int from)
{
    const Head &head = message.head();
    uint32_t quality = tables_.unit_cost ? head.length : head.cost;

    if (quality >= best_ || ended_)
        return;
    best_ = quality;
    next_ = {from, head.number};
    waits_ = true;
    outcome_.has_plan = true;
    if (limits_.anytime)
        broadcast(Kind::BOUND, quality);
    else
        halt(End::SOLVED);
    if (!tracing_)
        trace_next();
}

void Leader::trace_next()
{
    waits_ = false;
    tracing_ = true;
    plan_ = Plan();
    ask(next_.rank, next_.number, false);
}

void Leader::ask(int rank, uint32_t number, bool is_record)
{
    Message message = courier_.message();

    message.head().kind = Kind::ASK;
    message.head().number = number;
    message.head().count = is_record;
    courier_.send(rank, message);
}

void Leader::steps(const Message &message, uint64_t now)
{
    const Head &head = message.head();

    for (uint32_t n = 0; n < (head.count & ~MORE); n++)
        plan_.actions.push_back(message.words()[n]);
    if (head.count & MORE)
        return;
    if (head.rank >= 0) {
        ask(head.rank, head.number, true);
        return;
    }
    finish_plan(now);
    if (waits_)
        trace_next();
    else
        end_if_traced();
}

/* A plan may cost less than its goal's node said, if a node on the way was
 * reached at less cost since then. */
void Leader::finish_plan(uint64_t now)
{
    tracing_ = false;
    std::reverse(plan_.actions.begin(), plan_.actions.end());
    plan_.found_ns = now;
    for (Action action : plan_.actions)
        plan_.cost += tables_.cost[action];
    outcome_.plan = plan_;
    publish_(plan_);
    if (plan_.cost >= best_)
        return;
    best_ = (uint32_t)plan_.cost;
    if (!halted_)
        broadcast(Kind::BOUND, best_);
}

void Leader::exhausted()
{
    outcome_.exhausted = true;
    halt(outcome_.has_plan ? End::SOLVED : End::NO_PLAN);
}

void Leader::look_at_clock(uint64_t now)
{
    if (now >= limits_.time_ns)
        halt(End::TIME_UP);
}

void Leader::halt(End end)
{
    if (halted_)
        return;
    halted_ = true;
    outcome_.end = end;
    broadcast(Kind::HALT, 0);
    end_if_traced();
}

void Leader::end_if_traced()
{
    if (!halted_ || ended_ || tracing_ || waits_)
        return;
    ended_ = true;
    broadcast(Kind::END, 0);
}
} // namespace planner
