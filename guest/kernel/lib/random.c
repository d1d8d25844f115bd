/* Reproducible "random" bytes: getrandom, /dev/urandom, AT_RANDOM.
 *
 * Every run must behave alike, so the seed is the core's number and nothing
 * else. SplitMix64 [steele-2014]: one addition and a finalising mix a word.
 */
#include "lib/random.h"
#include "lib/string.h"
#include "lib/types.h"

static OF_ALL_PROCESSES u64 state;

void random_init(u32 seed)
{
    state = seed;
}

static u64 next(void)
{
    u64 z = (state += 0x9E3779B97F4A7C15u);

    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

void random_bytes(void *buffer, u32 length)
{
    u8 *out = buffer;

    while (length > 0) {
        u64 value = next();
        u32 part = length < 8 ? length : 8;

        memcpy(out, &value, part);
        out += part;
        length -= part;
    }
}
