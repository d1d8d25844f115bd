#include "npb.h"

uint64_t npb_jump(uint64_t x, uint64_t steps)
{
    for (uint64_t a = NPB_FACTOR; steps; steps >>= 1, a = a * a & NPB_MASK)
        if (steps & 1)
            x = x * a & NPB_MASK;
    return x;
}
