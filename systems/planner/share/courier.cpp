/*
 * courier.cpp: two queues between the transport and the search. What is under
 * way is bounded by the transport's room; what has come waits here.
 */
#include "share/courier.h"

#include <utility>

namespace planner
{
Courier::Courier(Transport *transport, size_t state_words)
    : transport_(transport), rank_(transport ? transport->rank() : 0),
      ranks_(transport ? transport->ranks() : 1),
      words_(words_for(state_words)), in_(words_)
{
    if (transport_)
        transport_->open(sizeof(Head) + words_ * sizeof(Word));
}

void Courier::send(int to, const Message &message)
{
    bool is_state = message.head().kind == Kind::STATE;

    if (to == rank_) {
        Message copy = blank();

        copy = message;
        keep(rank_, std::move(copy));
        return;
    }
    for (bool first = true; !transport_->send(to, message.bytes());
         first = false) {
        traffic.stalls += first;
        transport_->beat();
        take_in();
        if (!is_needed(to))
            return;
    }
    traffic.sent += is_state;
    traffic.bytes += sizeof(Head) + words_ * sizeof(Word);
    while (!is_state && is_needed(to) && !transport_->flush(to)) {
        transport_->beat();
        take_in();
    }
}

void Courier::flush()
{
    for (int to = 0; transport_ && to < ranks_; to++)
        while (is_needed(to) && !transport_->flush(to)) {
            transport_->beat();
            take_in();
        }
}

void Courier::take_in()
{
    int from;

    while (transport_ && transport_->take(from, in_.bytes())) {
        traffic.taken += in_.head().kind == Kind::STATE;
        keep(from, std::exchange(in_, blank()));
    }
}

Message Courier::blank()
{
    if (spare_.empty())
        return message();
    Message found = std::move(spare_.back());

    spare_.pop_back();
    return found;
}

void Courier::keep(int from, Message message)
{
    if (message.head().kind == Kind::HALT) {
        halted_ = true;
        states_.clear();
    }
    if (message.head().kind != Kind::STATE)
        words_in_.push_back({from, std::move(message)});
    else if (!halted_)
        states_.push_back({from, std::move(message)});
}

void Courier::rest()
{
    if (transport_ && states_.empty() && words_in_.empty())
        transport_->rest();
}

bool Courier::next(std::deque<Letter> &letters, Message &message, int &from)
{
    if (letters.empty())
        return false;
    from = letters.front().from;
    std::swap(message, letters.front().message);
    spare_.push_back(std::move(letters.front().message));
    letters.pop_front();
    return true;
}

bool Courier::next_state(Message &message, int &from)
{
    return next(states_, message, from);
}

bool Courier::next_word(Message &message, int &from)
{
    return next(words_in_, message, from);
}
} // namespace planner
