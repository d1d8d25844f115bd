/* The host channel: calls to services of the host.
 *
 * Request and reply lie in private memory and are read and written by the
 * host at the memory controller, behind this core's back: the caches must
 * not hold them. The pages are mapped as message memory (MPBT): stores
 * gather in the write-combine buffer and leave as whole lines, reads are
 * kept in the L1 only, where one instruction drops them.
 */
#include "scc/host_channel.h"
#include "defs.h"
#include "x86.h"

/* 64 KB of file data and the headers around it. */
#define BUFFER_SIZE (17u * PAGE_SIZE)

static u32 registers; /* virtual address; 0 while not mapped */
static u32 request, reply, request_physical, reply_physical;

void host_init(void)
{
    registers =
        vm_map_kernel(SCC_HOST_CHANNEL_OF(options.core), 0x100, TYPE_UNCACHED);
}

void host_write(u32 offset, u32 value)
{
    if (registers)
        write_register(registers + offset, value);
}

/* Whether anything answers: an idle channel reads as a known status. */
bool host_present(void)
{
    return read_register(registers + SCC_HOST_DOORBELL) <= SCC_HOST_ERROR;
}

/* One page more than the buffers: its line is stored to only to push out
 * the line that was written before. */
static void map_buffers(void)
{
    request_physical = frames_contiguous(2 * BUFFER_SIZE / PAGE_SIZE + 1);
    if (!request_physical)
        panic("no memory for the buffers of the host channel");
    reply_physical = request_physical + BUFFER_SIZE;
    request =
        vm_map_kernel(request_physical, 2 * BUFFER_SIZE + PAGE_SIZE, TYPE_MPBT);
    reply = request + BUFFER_SIZE;
}

/* The caller may only write to it: reads do not see what is still in the
 * write-combine buffer. */
u8 *host_request_buffer(void)
{
    if (!request)
        map_buffers();
    return (u8 *)request;
}

/* Sends the request of that length; null when the host has no answer. */
const u8 *host_call(u32 service, u32 length, u32 *reply_length)
{
    u32 status;

    /* The last, partly filled line of the request leaves the write-combine
     * buffer only when another line is stored to. */
    write_register(reply + BUFFER_SIZE, 0);
    host_write(SCC_HOST_REQUEST_ADDRESS, request_physical);
    host_write(SCC_HOST_REQUEST_LENGTH, length);
    host_write(SCC_HOST_REPLY_ADDRESS, reply_physical);
    host_write(SCC_HOST_REPLY_CAPACITY, BUFFER_SIZE);
    host_write(SCC_HOST_DOORBELL, service);
    do
        status = read_register(registers + SCC_HOST_DOORBELL);
    while (status == SCC_HOST_BUSY);
    if (status != SCC_HOST_DONE)
        return NULL;
    *reply_length = read_register(registers + SCC_HOST_REPLY_LENGTH);
    /* The L1 may hold lines of an earlier reply in the same place. */
    cache_forget_messages();
    return (const u8 *)reply;
}
