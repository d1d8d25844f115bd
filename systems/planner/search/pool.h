/* Memory that grows in pieces and is never moved: runs of elements of one
 * kind, which are found by number. */
#ifndef PLANNER_SEARCH_POOL_H
#define PLANNER_SEARCH_POOL_H

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <vector>

namespace planner
{
/* The memory of all pools of one rank: `most` bytes, of which `used` are in
 * use. When it is full, MemoryFull is thrown, and what is stored stays. */
struct Memory {
    uint64_t most = UINT64_MAX, used = 0;
};

struct MemoryFull : std::runtime_error {
    MemoryFull() : std::runtime_error("memory is full")
    {
    }
};

template <class Element> class Pool
{
  public:
    explicit Pool(Memory &memory) : memory_(memory)
    {
    }

    /* Reserves a run of `count` adjacent elements, at most PIECE; returns the
     * number of the first. Throws MemoryFull. */
    uint32_t add(uint32_t count)
    {
        if (PIECE - used_ % PIECE < count && used_ % PIECE)
            used_ += PIECE - used_ % PIECE;
        while ((uint64_t)pieces_.size() * PIECE < (uint64_t)used_ + count)
            grow();
        uint32_t first = used_;

        used_ += count;
        return first;
    }
    Element *at(uint32_t number)
    {
        return reinterpret_cast<Element *>(pieces_[number / PIECE].get()) +
               number % PIECE;
    }
    const Element *at(uint32_t number) const
    {
        return reinterpret_cast<const Element *>(
                   pieces_[number / PIECE].get()) +
               number % PIECE;
    }

    /* The number of elements of a piece, which is also the largest length of a
     * run. */
    static constexpr uint32_t PIECE = 1u << 14;

  private:
    Memory &memory_;
    /* The pieces. Their elements are not constructed: the code that adds an
     * element fills it in. */
    std::vector<std::unique_ptr<unsigned char[]>> pieces_;
    uint32_t used_ = 0;

    void grow()
    {
        size_t bytes = PIECE * sizeof(Element);

        if (memory_.used + bytes > memory_.most)
            throw MemoryFull();
        pieces_.emplace_back(new unsigned char[bytes]);
        memory_.used += bytes;
    }
};
} // namespace planner

#endif
