/*
 * member.cpp: the loop of a rank. What came in goes first, as published: before
 * the next node is chosen, all new ones are computed.
 */
#include "answer/member.h"

#include <algorithm>

namespace planner
{
Member::Member(const Tables &tables, Options options, Sharing sharing,
               Limits limits, Transport *transport, uint64_t most_memory,
               Clock clock, Trace *trace, Publish publish)
    : states_(tables), memory_{most_memory, 0},
      courier_(transport, states_.words()),
      owner_(tables, states_, sharing, courier_.rank(), courier_.ranks()),
      search_(
          tables, states_, options, memory_, trace,
          [this] { return is_over(); },
          [this](const Child &child) { return send_away(child); }),
      idle_(courier_), clock_(clock), began_(clock()), limit_(limits.time_ns),
      records_(memory_), out_(courier_.message()), in_(courier_.message()),
      batch_(sharing.batch), until_flush_(sharing.batch)
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
    send_statistics();
    /* A core that was killed sends none: then this waits for ever, and whoever
     * runs the chip sees for whom. */
    while (leader_ && !leader_->is_done()) {
        courier_.rest();
        serve();
    }
    return leader_ ? std::move(leader_->outcome()) : Outcome();
}

/* The start is rank 0's, whoever owns it; in a portfolio, the others begin at
 * rank 1. */
void Member::begin()
{
    if (!leader_ && !(owner_.is_portfolio() && courier_.rank() == 1))
        return;
    try {
        keep(search_.start());
    } catch (const MemoryFull &) {
        report_full();
    }
}

void Member::serve()
{
    courier_.take_in();
    heed();
    if (!leader_ || halted_)
        return;
    leader_->look_at_clock(now());
    /* Rank 0 shares nothing in a portfolio, so it never holds the token up. */
    if (owner_.is_portfolio() && idle_.pass())
        leader_->exhausted();
    /* The leader may have ended the search: the others' counts come then, and
     * as long as they come, nothing that was taken in would be looked at. */
    heed();
}

/* Does what the words say that were taken in. */
void Member::heed()
{
    int from;

    while (courier_.next_word(in_, from))
        take(in_, from);
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
        halt();
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
            begin_work();
            take_state(in_, from);
        } else if (search_.has_open()) {
            begin_work();
            expand();
        } else {
            wait();
            courier_.flush();
            if (!(leader_ && owner_.is_portfolio()) && !idle_.pass())
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
    child_.state.assign(message.words(), message.words() + states_.words());
    child_.key = head.key;
    child_.origin = {from, head.number};
    child_.length = head.length;
    child_.cost = head.cost;
    child_.steps = nullptr;
    child_.step_count = 0;
    keep(child_);
}

void Member::expand()
{
    search_.expand(
        [this](const Child &child) { return send_away(child) || keep(child); });
    if (--until_flush_ == 0) {
        until_flush_ = batch_;
        courier_.flush();
    }
}

/* Sends a state to the rank that owns it; false if this rank does. */
bool Member::send_away(const Child &child)
{
    int owner = owner_.of(child.state.data(), child.key);

    if (owner == courier_.rank())
        return false;
    send_child(child, owner);
    return true;
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

    *records_.at(record) = {child.origin.number,
                            search_.nodes.store(child.steps, child.step_count),
                            child.step_count};
    head.kind = Kind::STATE;
    head.number = record;
    head.length = child.length;
    head.cost = child.cost;
    head.key = child.key;
    std::copy(child.state.begin(), child.state.end(), out_.words());
    courier_.send(owner, out_);
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
    courier_.beat();
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

void Member::begin_work()
{
    stop_waiting();
    if (!is_fed_)
        unfed_ = waited_;
    is_fed_ = true;
}

/* The search ends here: to follow a plan back and to collect counts is no part
 * of it. */
void Member::halt()
{
    if (halted_)
        return;
    halted_ = true;
    stop_waiting();
    searched_ = now();
}

/* This rank goes on answering only. */
void Member::report_full()
{
    halt();
    out_.head().kind = Kind::FULL;
    out_.head().number = search_.nodes.count();
    courier_.send(0, out_);
}
} // namespace planner
