/* 9P2000.L messages [garlick-9p2000l-2011]: putting one together in the host
 * channel's request buffer, and taking its reply apart.
 *
 * There is one request at a time, so one cursor in each buffer is enough.
 * All numbers are little-endian, as the core's own, and unaligned.
 */
#include "defs.h"
#include "scc/host_channel.h"

#define TAG 1u
#define HEADER_SIZE 7u /* size, type, tag */
#define RLERROR 7u

static u8 *request;
static u32 request_length;
static u8 request_type;
static const u8 *reply;
static u32 reply_length, reply_position;

void p9_start(u8 type)
{
    request = host_request_buffer();
    request_type = type;
    request_length = 4; /* the size is put in when it is known */
    p9_put_8(type);
    p9_put_16(TAG);
}

void p9_put_bytes(const void *bytes, u32 length)
{
    u8 *to = request + request_length;
    u32 words = length / 4;
    u32 rest = length % 4;

    /* Stores only and in rising order, so that the write-combine buffer
     * sends whole lines. memcpy would read the target. */
    __asm__ volatile("rep movsl; movl %3, %%ecx; rep movsb"
                     : "+D"(to), "+S"(bytes), "+c"(words)
                     : "r"(rest)
                     : "memory");
    request_length += length;
}

void p9_put_8(u32 value)
{
    *(volatile u8 *)(request + request_length) = (u8)value;
    request_length += 1;
}

void p9_put_16(u32 value)
{
    *(volatile u16 *)(request + request_length) = (u16)value;
    request_length += 2;
}

void p9_put_32(u32 value)
{
    *(volatile u32 *)(request + request_length) = value;
    request_length += 4;
}

void p9_put_64(u64 value)
{
    p9_put_32((u32)value);
    p9_put_32((u32)(value >> 32));
}

void p9_put_string(const char *text)
{
    u32 length = string_length(text);

    p9_put_16(length);
    p9_put_bytes(text, length);
}

/* Sends the message; zero or a negative error number. */
s32 p9_call(void)
{
    u32 type;

    *(volatile u32 *)request = request_length;
    reply = host_call(SCC_HOST_SERVICE_FILES, request_length, &reply_length);
    if (!reply || reply_length < HEADER_SIZE)
        return -EIO;
    reply_position = 4;
    type = p9_get_8();
    p9_get_16();
    if (type == RLERROR)
        return -(s32)p9_get_32();
    return type == request_type + 1u ? 0 : -EIO;
}

u32 p9_left(void)
{
    return reply_length - reply_position;
}

/* Where the next bytes of the reply lie; a reply that is too short reads
 * from its start: the values are wrong, the address is not. */
const u8 *p9_get_bytes(u32 length)
{
    const u8 *bytes = reply;

    if (length <= p9_left()) {
        bytes += reply_position;
        reply_position += length;
    } else {
        reply_position = reply_length;
    }
    return bytes;
}

u32 p9_get_8(void)
{
    return *p9_get_bytes(1);
}

u32 p9_get_16(void)
{
    return *(const u16 *)p9_get_bytes(2);
}

u32 p9_get_32(void)
{
    return *(const u32 *)p9_get_bytes(4);
}

u64 p9_get_64(void)
{
    u32 low = p9_get_32();

    return (u64)p9_get_32() << 32 | low;
}

void p9_get_qid(struct qid *qid)
{
    qid->type = (u8)p9_get_8();
    p9_get_32(); /* version */
    qid->path = p9_get_64();
}
