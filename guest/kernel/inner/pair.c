/* Pairs of connected sockets (socketpair): what one writes the other reads
 * (pair_data.c). Descriptors are not passed, and no socket has a name. */
#include "abi/abi.h"
#include "abi/abi_file.h"
#include "abi/abi_socket.h"
#include "inner/inner.h"
#include "inner/pair.h"
#include "inner/ring.h"
#include "lib/types.h"
#include "memory/layout.h"
#include "memory/memory.h"
#include "open_files/file.h"
#include "process/thread.h"

#define PAIRS_MAX 16u

static OF_ALL_PROCESSES struct pair pairs[PAIRS_MAX];

struct side *pair_side(const struct file *file)
{
    return &file->pair->sides[file->value];
}

struct side *pair_other_side(const struct file *file)
{
    return &file->pair->sides[1 - file->value];
}

bool pair_has_messages(const struct file *file)
{
    return pair_is(file) && file->pair->type != SOCK_STREAM;
}

/* Nothing more will arrive. A datagram's other side may have closed: who reads
 * then waits for ever, as elsewhere. */
bool pair_at_end(const struct file *file)
{
    const struct side *other = pair_other_side(file);

    return !pair_side(file)->reads || !other->writes ||
           (!other->open && file->pair->type != SOCK_DGRAM);
}

s32 pair_shut(struct file *file, bool reading, bool writing)
{
    struct side *side = pair_side(file);

    side->reads = side->reads && !reading;
    side->writes = side->writes && !writing;
    thread_event();
    return 0;
}

static s32 pair_read(struct file *file, void *buffer, u32 count, u64 offset)
{
    const struct iovec piece = {(u32)buffer, count};
    u32 flags = 0;

    (void)offset;
    return count == 0 ? 0 : pair_receive(file, &piece, 1, &flags);
}

static s32 pair_write(struct file *file, const void *buffer, u32 count,
                      u64 offset)
{
    const struct iovec piece = {(u32)buffer, count};

    (void)offset;
    return pair_send(file, &piece, 1, 0);
}

static s32 pair_status(struct file *file, struct status *status)
{
    (void)file;
    *status = (struct status){
        .mode = S_IFSOCK | 0777, .links = 1, .block_size = PAGE_SIZE};
    return 0;
}

static u32 pair_ready(struct file *file)
{
    const struct side *own = pair_side(file), *other = pair_other_side(file);
    bool end = pair_at_end(file);
    /* Room for a datagram of some size, as for a write to a pipe. */
    bool room = RING_SIZE - other->arrived.length >= PAGE_SIZE;

    return (own->arrived.length > 0 || end ? POLLIN : 0) |
           (room || !other->open ? POLLOUT : 0) |
           (end && (!own->writes || !other->open) ? POLLHUP : 0);
}

static s32 pair_control(struct file *file, u32 request, u32 argument)
{
    u32 waiting = pair_side(file)->arrived.length;

    if (request != FIONREAD)
        return -ENOTTY;
    if (waiting > 0 && pair_has_messages(file)) /* the next one's length */
        ring_look(&pair_side(file)->arrived, 0, &waiting, sizeof(waiting));
    return copy_out(argument, &waiting, sizeof(waiting));
}

static void pair_close(struct file *file)
{
    pair_side(file)->open = false;
    thread_event();
}

static const struct file_ops pair_ops = {
    .read = pair_read,
    .write = pair_write,
    .status = pair_status,
    .control = pair_control,
    .ready = pair_ready,
    .close = pair_close,
};

bool pair_is(const struct file *file)
{
    return file->ops == &pair_ops;
}

u32 pair_type(const struct file *file)
{
    return file->pair->type;
}

static struct pair *free_pair(void)
{
    for (u32 n = 0; n < PAIRS_MAX; n++)
        if (!pairs[n].sides[0].open && !pairs[n].sides[1].open)
            return &pairs[n];
    return NULL;
}

s32 pair_new(u32 type, u32 flags, struct file *ends[2])
{
    struct pair *pair = free_pair();
    s32 error;

    if (!pair)
        return -ENFILE;
    pair->type = type;
    for (u32 n = 0; n < 2; n++) {
        struct side *side = &pair->sides[n];

        error = ring_prepare(&side->arrived);
        if (!error)
            error = file_new(&pair_ops, flags | O_RDWR, &ends[n]);
        if (error) {
            if (n > 0)
                file_release(ends[0]);
            return error;
        }
        ends[n]->pair = pair;
        ends[n]->value = n;
        side->open = side->reads = side->writes = true;
    }
    return 0;
}
