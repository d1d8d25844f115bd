/*
 * idle.cpp: four counters, by a ring.
 */
#include "idle/idle.h"

#include <cstring>

namespace planner
{
namespace
{
struct Sums {
    uint64_t sent, taken;
};
static_assert(sizeof(Sums) == 4 * sizeof(Word), "four words of a message");

Sums sums_of(const Message &token)
{
    Sums sums;

    std::memcpy(&sums, token.words(), sizeof sums);
    return sums;
}

void set(Message &token, Sums sums)
{
    std::memcpy(token.words(), &sums, sizeof sums);
}
} // namespace

void Idle::take(const Message &token)
{
    token_ = token;
    has_ = true;
}

bool Idle::pass()
{
    if (courier_.ranks() == 1)
        return true;
    if (courier_.rank() == 0) {
        if (started_ && !has_)
            return false;
        if (started_) {
            Sums sums = sums_of(token_);

            if (sums.sent == sums.taken && sums.sent == sent_before_)
                return true;
            sent_before_ = sums.sent;
        }
        started_ = true;
        set(token_, {0, 0});
    } else if (!has_) {
        return false;
    }
    Sums sums = sums_of(token_);

    sums.sent += courier_.traffic.sent;
    sums.taken += courier_.traffic.taken;
    set(token_, sums);
    token_.head().kind = Kind::TOKEN;
    has_ = false;
    courier_.send((courier_.rank() + 1) % courier_.ranks(), token_);
    return false;
}
} // namespace planner
