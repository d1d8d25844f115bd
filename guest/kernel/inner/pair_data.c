/* What goes through a pair of sockets. Streams carry bytes; datagrams and
 * sequenced packets carry messages, each behind its length in the ring. */
#include "abi/abi.h"
#include "abi/abi_file.h"
#include "abi/abi_signal.h"
#include "abi/abi_socket.h"
#include "inner/inner.h"
#include "inner/pair.h"
#include "inner/ring.h"
#include "lib/types.h"
#include "open_files/file.h"
#include "process/process.h"
#include "process/signal.h"
#include "process/thread.h"

static s32 may_send(const struct file *file, u32 flags)
{
    const struct side *other = pair_other_side(file);

    if (pair_side(file)->writes && other->open && other->reads)
        return 0;
    if (file->pair->type == SOCK_DGRAM && !other->open)
        return -ECONNREFUSED;
    if (!(flags & MSG_NOSIGNAL))
        signal_send(SIGPIPE, SI_KERNEL, 0);
    return -EPIPE;
}

static s32 wait_for_other(const struct file *file, u32 flags)
{
    return flags & MSG_DONTWAIT ? -EAGAIN : wait_or_fail(file);
}

/* The most that 32 bits hold if it is more. */
static u32 length_of(const struct iovec *pieces, u32 count)
{
    u32 length = 0;

    while (count--) {
        if (pieces[count].length > ~0u - length)
            return ~0u;
        length += pieces[count].length;
    }
    return length;
}

/* Until all is sent or a wait fails. */
static s32 send_bytes(struct file *file, const struct iovec *piece, u32 flags)
{
    u32 done = 0;

    while (done < piece->length) {
        struct ring *ring = &pair_other_side(file)->arrived;
        s32 error = may_send(file, flags);

        if (!error && ring->length == RING_SIZE)
            error = wait_for_other(file, flags);
        if (error)
            return done > 0 ? (s32)done : error;
        done += ring_put(ring, (const void *)(piece->base + done),
                         piece->length - done);
        thread_event();
    }
    return (s32)done;
}

static s32 send_message(struct file *file, const struct iovec *pieces,
                        u32 count, u32 flags)
{
    struct ring *ring = &pair_other_side(file)->arrived;
    u32 length = length_of(pieces, count);
    s32 error;

    if (length > RING_SIZE - sizeof(length))
        return -EMSGSIZE;
    error = may_send(file, flags);
    while (!error && RING_SIZE - ring->length < length + sizeof(length)) {
        error = wait_for_other(file, flags);
        if (!error)
            error = may_send(file, flags);
    }
    if (error)
        return error;
    ring_put(ring, &length, sizeof(length));
    for (u32 n = 0; n < count; n++)
        ring_put(ring, (const void *)pieces[n].base, pieces[n].length);
    thread_event();
    return (s32)length;
}

/* The pieces are the program's memory, and known to be readable. */
s32 pair_send(struct file *file, const struct iovec *pieces, u32 count,
              u32 flags)
{
    s32 done = 0;

    if (pair_has_messages(file))
        return send_message(file, pieces, count, flags);
    for (u32 n = 0; n < count; n++) {
        s32 sent = send_bytes(file, &pieces[n], flags);

        if (sent < 0)
            return done > 0 ? done : sent;
        done += sent;
        if ((u32)sent < pieces[n].length)
            break;
    }
    return done;
}

/* Copies what lies from `from` on into the pieces behind their first `full`
 * bytes, at most `most` bytes. */
static u32 fill(const struct ring *ring, u32 from, u32 most,
                const struct iovec *pieces, u32 count, u32 full)
{
    u32 done = 0;

    for (u32 n = 0; n < count && done < most; n++) {
        u32 skip = full < pieces[n].length ? full : pieces[n].length;
        u32 room = pieces[n].length - skip;
        u32 part = room < most - done ? room : most - done;

        full -= skip;
        done +=
            ring_look(ring, from + done, (void *)(pieces[n].base + skip), part);
    }
    return done;
}

static s32 receive_message(struct ring *ring, const struct iovec *pieces,
                           u32 count, u32 *flags)
{
    u32 length, got, asked = *flags;

    ring_look(ring, 0, &length, sizeof(length));
    got = fill(ring, sizeof(length), length, pieces, count, 0);
    *flags = got < length ? MSG_TRUNC : 0;
    if (!(asked & MSG_PEEK))
        ring_drop(ring, sizeof(length) + length);
    return (s32)(asked & MSG_TRUNC ? length : got);
}

/* Bytes that have arrived; with MSG_WAITALL until the pieces are full, but a
 * look takes nothing out, so it waits for what the ring holds at most. */
static s32 receive_bytes(struct file *file, const struct iovec *pieces,
                         u32 count, u32 flags)
{
    struct ring *ring = &pair_side(file)->arrived;
    u32 wanted = length_of(pieces, count), done = 0;

    for (;;) {
        u32 next = wanted - done < RING_SIZE ? wanted - done : RING_SIZE;
        bool failed = false;

        while (flags & MSG_WAITALL && ring->length < next && !failed &&
               !pair_at_end(file))
            failed = wait_for_other(file, flags) != 0;
        next = fill(ring, 0, ring->length, pieces, count, done);
        done += next;
        if (flags & MSG_PEEK)
            return (s32)done;
        ring_drop(ring, next);
        if (!(flags & MSG_WAITALL) || done == wanted || failed || next == 0)
            return (s32)done;
        thread_event();
    }
}

/* The pieces are the program's memory, and known to be writable. *flags: what
 * was asked for; then what is to be said about the message. */
s32 pair_receive(struct file *file, const struct iovec *pieces, u32 count,
                 u32 *flags)
{
    struct ring *ring = &pair_side(file)->arrived;
    s32 result;

    while (ring->length == 0) {
        s32 error;

        if (pair_at_end(file)) {
            *flags = 0;
            return 0;
        }
        error = wait_for_other(file, *flags);
        if (error)
            return error;
    }
    if (pair_has_messages(file)) {
        result = receive_message(ring, pieces, count, flags);
    } else {
        result = receive_bytes(file, pieces, count, *flags);
        *flags = 0;
    }
    thread_event();
    return result;
}
