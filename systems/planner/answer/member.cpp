/*
 * member.cpp: the loop of a rank. What came in goes first, as published: before
 * the next node is chosen, all new ones are computed.
 */
#include "answer/member.h"

#include <algorithm>

namespace planner
{
Member::Member(const Tables &tables, Options options, Limits limits,
               Transport *transport, uint64_t most_memory, Clock clock,
               Trace *trace, Publish publish)
    : states_(tables), memory_{most_memory, 0},
      courier_(transport, states_.words()),
      search_(tables, states_, options, memory_, trace,
              [this] { return is_over(); }),
      idle_(courier_), clock_(clock), began_(clock()), limit_(limits.time_ns),
      records_(memory_), out_(courier_.message()), in_(courier_.message())
{
    if (courier_.rank() == 0)
        leader_ = std::make_unique<Leader>(courier_, limits, tables, publish);
}

Outcome Member::run()
{
    begin();
    while (!ended_) {
        serve();
        if (!halted_ && !is_over())
            work();
        else if (!ended_)
            rest();
    }
    stop_waiting();
    send_statistics();
    /* A core that was killed sends none: then this waits for ever, and whoever
     * runs the chip sees for whom. */
    while (leader_ && !leader_->is_done()) {
        courier_.rest();
        serve();
    }
    return leader_ ? std::move(leader_->outcome()) : Outcome();
}

/* The start is rank 0's, whoever owns it. */
void Member::begin()
{
    if (!leader_)
        return;
    try {
        keep(search_.start());
    } catch (const MemoryFull &) {
        report_full();
    }
}

void Member::serve()
{
    int from;

    courier_.take_in();
    while (courier_.next_word(in_, from)) {
        Message message = in_;

        take(message, from);
    }
    if (leader_ && !halted_)
        leader_->look_at_clock(now());
}

void Member::take(const Message &message, int from)
{
    const Head &head = message.head();

    if (leader_ && leader_->take(message, from, now()))
        return;
    switch (head.kind) {
    case Kind::BOUND:
        search_.improve(head.cost);
        break;
    case Kind::HALT:
        halted_ = true;
        break;
    case Kind::ASK:
        answer(message);
        break;
    case Kind::TOKEN:
        idle_.take(message);
        break;
    case Kind::END:
        ended_ = true;
        break;
    default:
        break;
    }
}

void Member::work()
{
    int from;

    try {
        if (courier_.next_state(in_, from)) {
            stop_waiting();
            take_state(in_, from);
        } else if (search_.has_open()) {
            stop_waiting();
            expand();
        } else {
            wait();
            if (!idle_.pass())
                rest();
            else if (leader_)
                leader_->exhausted();
        }
    } catch (const MemoryFull &) {
        report_full();
    }
}

void Member::take_state(const Message &message, int from)
{
    const Head &head = message.head();
    Child child;

    child.state.assign(message.words(), message.words() + states_.words());
    child.key = head.key;
    child.origin = {from, head.number};
    child.length = head.length;
    child.cost = head.cost;
    child.steps = nullptr;
    child.step_count = 0;
    keep(child);
}

void Member::expand()
{
    search_.expand([this](const Child &child) {
        int owner = courier_.owner(child.key);

        if (owner == courier_.rank())
            return keep(child);
        send_child(child, owner);
        return true;
    });
}

/* Computes a node of this rank; false: it led to a goal. */
bool Member::keep(const Child &child)
{
    NodeId goal = search_.compute(child);

    if (goal == NO_NODE)
        return true;
    const NodeData &data = search_.nodes[goal];
    Head &head = out_.head();

    head.kind = Kind::FOUND;
    head.number = goal;
    head.length = data.length;
    head.cost = data.cost;
    search_.improve(search_.quality(data.length, data.cost));
    courier_.send(0, out_);
    return false;
}

void Member::send_child(const Child &child, int owner)
{
    uint32_t record = records_.add(1);
    Head &head = out_.head();

    *records_.at(record) = {child.origin.number, *child.steps};
    head.kind = Kind::STATE;
    head.number = record;
    head.length = child.length;
    head.cost = child.cost;
    head.key = child.key;
    std::copy(child.state.begin(), child.state.end(), out_.words());
    courier_.send(owner, out_);
}

/* The steps back from a node, as far as they were computed here. */
void Member::answer(const Message &question)
{
    std::vector<Action> steps;
    NodeId node = question.head().number;
    Origin origin{-1, node};
    Message reply = courier_.message();
    Head &head = reply.head();

    if (question.head().count) {
        const Record &record = *records_.at(node);

        steps.push_back(record.action);
        origin.number = record.parent;
    }
    while (origin.rank < 0 && origin.number != NO_NODE) {
        const NodeData &data = search_.nodes[origin.number];

        for (uint32_t n = data.step_count; n-- > 0;)
            steps.push_back(search_.nodes.actions(data.steps)[n]);
        origin = data.origin;
    }
    head.kind = Kind::STEPS;
    head.rank = origin.rank;
    head.number = origin.number;
    size_t at = 0;

    do {
        size_t count = std::min(steps.size() - at, reply.capacity());

        std::copy_n(steps.begin() + (std::ptrdiff_t)at, count, reply.words());
        at += count;
        head.count = (uint32_t)count | (at < steps.size() ? MORE : 0);
        courier_.send(0, reply);
    } while (at < steps.size());
}

void Member::wait()
{
    if (!is_waiting_)
        waiting_since_ = now();
    is_waiting_ = true;
}

/* Behind the limit a rank computes nothing more, even in the middle of an
 * expansion. Nodes are lost then, so it passes no token: an empty open list says
 * nothing. */
bool Member::is_over()
{
    if (limit_ != UINT64_MAX)
        over_ = over_ || now() >= limit_;
    return over_;
}

/* Rank 0 looks at the clock. */
void Member::rest()
{
    if (!leader_ || limit_ == UINT64_MAX)
        courier_.rest();
}

void Member::stop_waiting()
{
    if (is_waiting_)
        waited_ += now() - waiting_since_;
    is_waiting_ = false;
}

/* This rank goes on answering only. */
void Member::report_full()
{
    halted_ = true;
    out_.head().kind = Kind::FULL;
    out_.head().number = search_.nodes.count();
    courier_.send(0, out_);
}

void Member::send_statistics()
{
    const Counts &counts = search_.counts;
    const Traffic &traffic = courier_.traffic;
    Numbers numbers{};

    numbers[EVALUATED] = counts.evaluated;
    numbers[EXPANDED] = counts.expanded;
    numbers[GENERATED] = counts.generated;
    numbers[DUPLICATES] = counts.duplicates;
    numbers[DEAD_ENDS] = counts.dead_ends;
    numbers[PRUNED] = counts.pruned;
    numbers[LOOKAHEAD_STEPS] = counts.lookahead_steps;
    numbers[NODES] = search_.nodes.count();
    numbers[SENT] = traffic.sent;
    numbers[TAKEN] = traffic.taken;
    numbers[BYTES] = traffic.bytes;
    numbers[STALLS] = traffic.stalls;
    numbers[MEMORY] = memory_.used;
    numbers[SEARCH_NS] = now();
    numbers[WAITING_NS] = waited_;
    numbers[HADD_CYCLES] = counts.hadd_cycles;
    out_.head().kind = Kind::STATISTIC;
    for (unsigned n = 0; n < STATISTICS; n++) {
        out_.head().number = n;
        out_.head().key = numbers[n];
        courier_.send(0, out_);
    }
}
} // namespace planner
