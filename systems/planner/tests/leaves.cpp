// A rank that ends in the middle of a search is named by those that go on.
// cc: -std=c++17 -I${system} -lplanner
// run: -n 3 --tag none
// expect-exit: 1
// expect-stderr: planner: UE [02] \(core [02]\): rank 1 \(core 1\) has ended in the middle of the search
// expect-stderr: hint: see what that core has said
#include <cstdint>
#include <cstdlib>

#include "chip/rings.h"

int main()
{
    planner::Rings rings;
    uint32_t message[8];
    int from;

    rings.open(sizeof message);
    if (rings.rank() == 1)
        std::exit(0);
    for (;;)
        if (!rings.take(from, message))
            rings.rest();
}
