// Messages arrive whole, once, in the order of each sender, also through rings that are full.
// cc: -std=c++17 -O2 -I${system} -lplanner
// run: -n 5 --tag none
// expect-stdout:
// 0: 12000 messages, 0 wrong
// also: --jitter 3
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

#include "chip/rings.h"

constexpr uint32_t MESSAGES = 3000;
constexpr size_t WORDS = 24;

static uint32_t word(uint32_t number, int from, size_t n)
{
    return number * 2654435761u + (uint32_t)from * 97u + (uint32_t)n;
}

static uint32_t take_all(planner::Rings &rings)
{
    std::vector<uint32_t> next((size_t)rings.ranks());
    uint32_t message[WORDS], left = MESSAGES * (uint32_t)(rings.ranks() - 1);
    uint32_t wrong = 0;
    int from;

    while (left) {
        if (!rings.take(from, message)) {
            rings.rest();
            continue;
        }
        uint32_t number = next[(size_t)from]++;

        for (size_t n = 0; n < WORDS; n++)
            wrong += message[n] != word(number, from, n);
        left--;
    }
    return wrong;
}

int main()
{
    planner::Rings rings;
    uint32_t message[WORDS];

    rings.open(sizeof message);
    if (rings.rank() == 0) {
        uint32_t wrong = take_all(rings);

        std::printf("0: %u messages, %u wrong\n",
                    (unsigned)MESSAGES * (unsigned)(rings.ranks() - 1),
                    (unsigned)wrong);
    } else {
        for (uint32_t number = 0; number < MESSAGES; number++) {
            for (size_t n = 0; n < WORDS; n++)
                message[n] = word(number, rings.rank(), n);
            while (!rings.send(0, message))
                ;
        }
    }
    rings.close();
    return 0;
}
