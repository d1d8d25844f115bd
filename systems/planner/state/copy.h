/* Copies for caches that take no line in for a store. */
#ifndef PLANNER_STATE_COPY_H
#define PLANNER_STATE_COPY_H

#include <cstddef>
#include <cstdint>

namespace planner
{
/* The SCC's caches allocate a line when it is read, never when it is written:
 * a store that misses goes to memory by itself [intel-eas]. So one word of
 * each line of the target is read before the line is written. */
inline void fetch_lines(const void *at, size_t bytes)
{
    const volatile char *line = static_cast<const volatile char *>(at);

    for (size_t n = 0; n < bytes; n += 32)
        (void)line[n];
    if (bytes)
        (void)line[bytes - 1];
}

/* Words from one array to another one. */
template <class Element>
void copy_fetched(const Element *from, size_t count, Element *to)
{
    fetch_lines(to, count * sizeof(Element));
    for (size_t n = 0; n < count; n++)
        to[n] = from[n];
}
} // namespace planner

#endif
