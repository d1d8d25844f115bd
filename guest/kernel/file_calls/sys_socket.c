/* System calls of sockets: there are pairs, connected from the beginning.
 * Sockets with addresses belong to a library (systems/tcpip, systems/lpel). */
#include "abi/abi.h"
#include "abi/abi_file.h"
#include "abi/abi_socket.h"
#include "inner/inner.h"
#include "inner/ring.h"
#include "lib/types.h"
#include "memory/memory.h"
#include "open_files/file.h"
#include "syscall/syscall.h"

#define PIECES_MAX 64u

s32 sys_socketpair(const u32 *args)
{
    u32 type = args[1] & SOCK_TYPE, flags = args[1] & ~SOCK_TYPE;
    struct file *ends[2];
    s32 error;

    if (args[0] != AF_UNIX)
        return -EAFNOSUPPORT;
    if (flags & ~(O_NONBLOCK | O_CLOEXEC))
        return -EINVAL;
    if (type != SOCK_STREAM && type != SOCK_DGRAM && type != SOCK_SEQPACKET)
        return -ESOCKTNOSUPPORT;
    if (args[2] != 0 && args[2] != AF_UNIX)
        return -EPROTONOSUPPORT;
    if (!user_writable(args[3], 2 * sizeof(s32)))
        return -EFAULT;
    error = pair_new(type, flags & O_NONBLOCK, ends);
    return error ? error
                 : descriptor_new_pair(ends, flags & O_CLOEXEC, args[3]);
}

static struct file *socket_of(u32 descriptor, s32 *error)
{
    struct file *file = file_of(descriptor);

    *error = file ? -ENOTSOCK : -EBADF;
    return file && pair_is(file) ? file : NULL;
}

/* For the calls that wait. */
static struct file *hold_socket(u32 descriptor, s32 *error)
{
    return socket_of(descriptor, error) ? file_hold(descriptor) : NULL;
}

s32 sys_sendto(const u32 *args)
{
    const struct iovec piece = {args[1], args[2]};
    s32 result;
    struct file *file = hold_socket(args[0], &result);

    if (!file)
        return result;
    result = user_readable(args[1], args[2])
                 ? pair_send(file, &piece, 1, args[3])
                 : -EFAULT;
    return file_let_go(file, result);
}

/* The sender has no address. */
static s32 put_no_address(u32 length_at)
{
    const u32 none = 0;

    return length_at ? copy_out(length_at, &none, sizeof(none)) : 0;
}

s32 sys_recvfrom(const u32 *args)
{
    const struct iovec piece = {args[1], args[2]};
    u32 flags = args[3];
    s32 result;
    struct file *file = hold_socket(args[0], &result);

    if (!file)
        return result;
    result = user_writable(args[1], args[2])
                 ? pair_receive(file, &piece, 1, &flags)
                 : -EFAULT;
    file_release(file);
    if (result >= 0 && args[4] && put_no_address(args[5]))
        return -EFAULT;
    return result;
}

static s32 take_pieces(u32 vector, u32 count, struct iovec *pieces,
                       bool (*allowed)(u32 address, u32 length))
{
    if (count > PIECES_MAX)
        return -EMSGSIZE;
    if (copy_in(pieces, vector, count * sizeof(*pieces)))
        return -EFAULT;
    for (u32 n = 0; n < count; n++)
        if (!allowed(pieces[n].base, pieces[n].length))
            return -EFAULT;
    return 0;
}

static s32 take_header(u32 header_at, struct msghdr *header,
                       struct iovec *pieces,
                       bool (*allowed)(u32 address, u32 length))
{
    if (copy_in(header, header_at, sizeof(*header)))
        return -EFAULT;
    return take_pieces(header->pieces, header->piece_count, pieces, allowed);
}

static bool all_empty(const struct iovec *pieces, u32 count)
{
    for (u32 n = 0; n < count; n++)
        if (pieces[n].length > 0)
            return false;
    return true;
}

/* readv and writev of a socket that carries messages: the pieces together are
 * one; without a byte they are none. */
s32 message_readv(struct file *file, u32 vector, u32 count)
{
    struct iovec pieces[PIECES_MAX];
    s32 error = take_pieces(vector, count, pieces, user_writable);
    u32 flags = 0;

    if (error || all_empty(pieces, count))
        return error;
    return pair_receive(file, pieces, count, &flags);
}

s32 message_writev(struct file *file, u32 vector, u32 count)
{
    struct iovec pieces[PIECES_MAX];
    s32 error = take_pieces(vector, count, pieces, user_readable);

    if (error || all_empty(pieces, count))
        return error;
    return pair_send(file, pieces, count, 0);
}

s32 sys_sendmsg(const u32 *args)
{
    struct iovec pieces[PIECES_MAX];
    struct msghdr header;
    s32 result;
    struct file *file = hold_socket(args[0], &result);

    if (!file)
        return result;
    result = take_header(args[1], &header, pieces, user_readable);
    if (!result && header.control_length > 0)
        result = -EOPNOTSUPP; /* descriptors are not passed */
    if (!result)
        result = pair_send(file, pieces, header.piece_count, args[2]);
    return file_let_go(file, result);
}

s32 sys_recvmsg(const u32 *args)
{
    struct iovec pieces[PIECES_MAX];
    struct msghdr header;
    u32 flags = args[2];
    s32 result;
    struct file *file = hold_socket(args[0], &result);

    if (!file)
        return result;
    result = take_header(args[1], &header, pieces, user_writable);
    if (!result)
        result = pair_receive(file, pieces, header.piece_count, &flags);
    file_release(file);
    header.name_length = header.control_length = 0;
    header.flags = flags;
    if (result >= 0 && copy_out(args[1], &header, sizeof(header)))
        return -EFAULT;
    return result;
}

s32 sys_shutdown(const u32 *args)
{
    s32 error;
    struct file *file = socket_of(args[0], &error);

    if (!file)
        return error;
    if (args[1] > SHUT_RDWR)
        return -EINVAL;
    return pair_shut(file, args[1] != SHUT_WR, args[1] != SHUT_RD);
}

s32 sys_getsockopt(const u32 *args)
{
    s32 error;
    struct file *file = socket_of(args[0], &error);
    const struct {
        u32 option, value;
    } values[] = {
        {SO_TYPE, file ? pair_type(file) : 0},
        {SO_ERROR, 0},
        {SO_SNDBUF, RING_SIZE},
        {SO_RCVBUF, RING_SIZE},
        {SO_ACCEPTCONN, 0},
        {SO_PROTOCOL, 0},
        {SO_DOMAIN, AF_UNIX},
    };
    u32 length;

    if (!file)
        return error;
    if (copy_in(&length, args[4], sizeof(length)))
        return -EFAULT;
    if (length > sizeof(values->value))
        length = sizeof(values->value);
    for (u32 n = 0; args[1] == SOL_SOCKET && n < COUNT(values); n++)
        if (values[n].option == args[2])
            return copy_out(args[3], &values[n].value, length) ||
                           copy_out(args[4], &length, sizeof(length))
                       ? -EFAULT
                       : 0;
    return -ENOPROTOOPT;
}

/* What would change nothing is accepted; all else is refused. */
s32 sys_setsockopt(const u32 *args)
{
    s32 error;
    u32 option = args[2];

    if (!socket_of(args[0], &error))
        return error;
    return args[1] == SOL_SOCKET &&
                   (option == SO_REUSEADDR || option == SO_SNDBUF ||
                    option == SO_RCVBUF || option == SO_KEEPALIVE)
               ? 0
               : -ENOPROTOOPT;
}

/* Both sides: an address of AF_UNIX without a name. */
s32 sys_getsockname(const u32 *args)
{
    const u16 family = AF_UNIX;
    u32 length, whole = sizeof(family);
    s32 error;

    if (!socket_of(args[0], &error))
        return error;
    if (copy_in(&length, args[2], sizeof(length)))
        return -EFAULT;
    if (length > whole)
        length = whole;
    return copy_out(args[1], &family, length) ||
                   copy_out(args[2], &whole, sizeof(whole))
               ? -EFAULT
               : 0;
}
