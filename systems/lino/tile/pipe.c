/* pipe.c: a ring of bytes, as large as a pipe of Linux. */
#include "tile.h"

size_t lino_pipe_put(struct pipe *pipe, const void *bytes, size_t count)
{
    const char *from = bytes;
    size_t room = FIFO - pipe->count;

    if (count > room)
        count = room;
    for (size_t i = 0; i < count; i++)
        pipe->bytes[(pipe->first + pipe->count + i) % FIFO] = from[i];
    pipe->count += count;
    return count;
}

size_t lino_pipe_take(struct pipe *pipe, void *bytes, size_t most)
{
    char *to = bytes;

    if (most > pipe->count)
        most = pipe->count;
    for (size_t i = 0; i < most; i++)
        to[i] = pipe->bytes[(pipe->first + i) % FIFO];
    pipe->first = (pipe->first + most) % FIFO;
    pipe->count -= most;
    return most;
}
