/*
 * batches.cpp: messages of all kinds travel in batches, so those of one rank
 * stay in order.
 */
#include "share/batches.h"

#include <cstdint>
#include <cstring>

namespace planner
{
namespace
{
constexpr size_t LINE = 32; /* bytes */

uint32_t count_of(const std::vector<unsigned char> &batch)
{
    uint32_t count;

    std::memcpy(&count, batch.data(), sizeof count);
    return count;
}

void set_count(std::vector<unsigned char> &batch, uint32_t count)
{
    std::memcpy(batch.data(), &count, sizeof count);
}
} // namespace

Batches::Batches(Transport &under, size_t most) : under_(under), most_(most)
{
}

unsigned char *Batches::place(Batch &batch, size_t number) const
{
    return batch.data() + LINE + number * bytes_;
}

void Batches::open(size_t bytes)
{
    bytes_ = bytes;
    in_.resize(LINE + most_ * bytes);
    out_.assign((size_t)ranks(), in_);
    under_.open(in_.size());
}

bool Batches::push(int to)
{
    Batch &batch = out_[(size_t)to];

    if (!under_.send(to, batch.data()))
        return false;
    set_count(batch, 0);
    return true;
}

bool Batches::send(int to, const void *message)
{
    Batch &batch = out_[(size_t)to];

    if (count_of(batch) == most_ && !push(to))
        return false;
    uint32_t count = count_of(batch);

    std::memcpy(place(batch, count), message, bytes_);
    set_count(batch, count + 1);
    if (count + 1 == most_)
        push(to);
    return true;
}

bool Batches::flush(int to)
{
    return !count_of(out_[(size_t)to]) || push(to);
}

bool Batches::take(int &from, void *message)
{
    while (given_ == count_of(in_)) {
        if (!under_.take(from_, in_.data()))
            return false;
        given_ = 0;
    }
    from = from_;
    std::memcpy(message, place(in_, given_++), bytes_);
    return true;
}
} // namespace planner
