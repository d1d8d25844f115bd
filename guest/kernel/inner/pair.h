/* A pair of connected sockets, for those who make it and who move bytes. */
#ifndef INNER_PAIR_H
#define INNER_PAIR_H

#include "inner/ring.h"
#include "lib/types.h"

struct file;

struct side {
    struct ring arrived; /* from the other side */
    bool open;
    bool reads, writes; /* not shut down */
};

struct pair {
    u32 type;
    struct side sides[2];
};

struct side *pair_side(const struct file *file);
struct side *pair_other_side(const struct file *file);
bool pair_at_end(const struct file *file);

#endif
