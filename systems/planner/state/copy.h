/* Functions that copy memory and first load each line of the target, because
 * the SCC's caches do not allocate a line at a store. */
#ifndef PLANNER_STATE_COPY_H
#define PLANNER_STATE_COPY_H

#include <cstddef>
#include <cstdint>

namespace planner
{
/* Reads one byte of each line of 32 bytes of memory that will be written. The
 * SCC's caches allocate a line when it is read, never when it is written: a
 * store that misses goes to memory as a single transaction [intel-eas]. */
inline void fetch_lines(const void *at, size_t bytes)
{
    const volatile char *line = static_cast<const volatile char *>(at);

    for (size_t n = 0; n < bytes; n += 32)
        (void)line[n];
    if (bytes)
        (void)line[bytes - 1];
}

/* Copies `count` elements, fetching the target's lines first. */
template <class Element>
void copy_fetched(const Element *from, size_t count, Element *to)
{
    fetch_lines(to, count * sizeof(Element));
    for (size_t n = 0; n < count; n++)
        to[n] = from[n];
}
} // namespace planner

#endif
