/*
 * replies.cpp: what a rank sends to the leader when it is asked: the steps of
 * a plan, and its counts.
 */
#include "answer/member.h"

#include <algorithm>

namespace planner
{
/* The steps back from a node, as far as they were computed here. */
void Member::answer(const Message &question)
{
    std::vector<Action> steps;
    NodeId node = question.head().number;
    Origin origin{-1, node};
    Message reply = courier_.message();
    Head &head = reply.head();
    auto add = [&](uint32_t first, uint32_t count) {
        while (count-- > 0)
            steps.push_back(search_.nodes.actions(first)[count]);
    };

    if (question.head().count) {
        const Record &record = *records_.at(node);

        add(record.steps, record.count);
        origin.number = record.parent;
    }
    while (origin.rank < 0 && origin.number != NO_NODE) {
        const NodeData &data = search_.nodes[origin.number];

        add(data.steps, data.step_count);
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
    numbers[SEARCH_NS] = searched_;
    numbers[WAITING_NS] = waited_;
    numbers[UNFED_NS] = is_fed_ ? unfed_ : waited_;
    numbers[HADD_CYCLES] = counts.hadd_cycles;
    out_.head().kind = Kind::STATISTIC;
    for (unsigned n = 0; n < STATISTICS; n++) {
        out_.head().number = n;
        out_.head().key = numbers[n];
        courier_.send(0, out_);
    }
}
} // namespace planner
