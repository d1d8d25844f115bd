/* Segment descriptors: flat code and data, the task state, thread-local
 * storage. */
#include "abi/abi.h"
#include "lib/types.h"
#include "lib/x86.h"
#include "memory/layout.h"
#include "process/process.h"
#include "process/thread.h"

/* Access bytes and flags [intel-pentium-manual]. */
#define ACCESS_KERNEL_CODE 0x9Au
#define ACCESS_KERNEL_DATA 0x92u
#define ACCESS_USER_CODE 0xFAu
#define ACCESS_USER_DATA 0xF2u
#define ACCESS_TASK 0x89u
#define ACCESS_LDT 0x82u
#define FLAGS_32_BIT_4_KB 0xCu

struct task_state {
    u32 link;
    u32 esp0, ss0;
    u32 unused[22];
    u16 trap, io_map;
};

extern char kernel_stack_top[];

static u64 gdt[GDT_ENTRIES];
static struct task_state task;

static u64 descriptor(u32 base, u32 limit, u32 access, u32 flags)
{
    u32 low = (base & 0xFFFF) << 16 | (limit & 0xFFFF);
    u32 high = (base & 0xFF000000) | flags << 20 | (limit & 0xF0000) |
               access << 8 | (base >> 16 & 0xFF);

    return (u64)high << 32 | low;
}

void segment_init(void)
{
    struct pseudo_descriptor table = {sizeof(gdt) - 1, (u32)gdt};

    gdt[KERNEL_CS / 8] =
        descriptor(0, 0xFFFFF, ACCESS_KERNEL_CODE, FLAGS_32_BIT_4_KB);
    gdt[KERNEL_DS / 8] =
        descriptor(0, 0xFFFFF, ACCESS_KERNEL_DATA, FLAGS_32_BIT_4_KB);
    gdt[USER_CS / 8] =
        descriptor(0, 0xFFFFF, ACCESS_USER_CODE, FLAGS_32_BIT_4_KB);
    gdt[USER_DS / 8] =
        descriptor(0, 0xFFFFF, ACCESS_USER_DATA, FLAGS_32_BIT_4_KB);
    gdt[GDT_TSS] = descriptor((u32)&task, sizeof(task) - 1, ACCESS_TASK, 0);
    task.esp0 = (u32)kernel_stack_top;
    task.ss0 = KERNEL_DS;
    task.io_map = sizeof(task); /* beyond the limit: no ports for ring 3 */
    load_gdt(&table);
    load_segments(KERNEL_CS, KERNEL_DS);
    load_task_register(GDT_TSS * 8);
}

void segment_use_ldt(const u64 *table, u32 entries)
{
    gdt[GDT_LDT] = descriptor((u32)table, entries * 8 - 1, ACCESS_LDT, 0);
    load_ldt(GDT_LDT * 8);
}

/* The descriptor that a program asks for: always of ring 3. */
u64 segment_encode(const struct user_desc *wanted)
{
    u32 f = wanted->flags;
    u32 access = 0xF1 | (f & DESC_CONTENTS) << 1;
    u32 flags = 0;

    if (!(f & DESC_READ_EXEC_ONLY))
        access |= 0x02;
    if (f & DESC_NOT_PRESENT)
        access &= ~0x80u;
    if (f & DESC_USEABLE)
        flags |= 0x1;
    if (f & DESC_32_BIT)
        flags |= 0x4;
    if (f & DESC_LIMIT_IN_PAGES)
        flags |= 0x8;
    return descriptor(wanted->base, wanted->limit, access, flags);
}

/* A description with nothing in it frees the entry, as on Linux. */
bool segment_is_empty(const struct user_desc *wanted)
{
    u32 f = wanted->flags & DESC_ALL;

    return !wanted->base && !wanted->limit &&
           (f == 0 || f == (DESC_READ_EXEC_ONLY | DESC_NOT_PRESENT));
}

static s32 free_tls_entry(void)
{
    for (u32 n = GDT_TLS; n < GDT_TLS + TLS_ENTRIES; n++)
        if (!gdt[n])
            return (s32)n;
    return -ESRCH;
}

/* Another program follows: it makes its own thread-local segments. */
void segments_leave(void)
{
    for (u32 n = GDT_TLS; n < GDT_TLS + TLS_ENTRIES; n++)
        gdt[n] = 0;
}

/* Fills in the entry number when the program leaves the choice to us. */
s32 segment_set_tls(struct user_desc *description)
{
    if (description->entry == ~0u) {
        s32 entry = free_tls_entry();

        if (entry < 0)
            return entry;
        description->entry = (u32)entry;
    }
    if (description->entry - GDT_TLS >= TLS_ENTRIES)
        return -EINVAL;
    gdt[description->entry] =
        segment_is_empty(description) ? 0 : segment_encode(description);
    return 0;
}

/* The thread-local segment of a thread that does not run. */
s32 segment_put_tls(u64 *tls, const struct user_desc *description)
{
    if (description->entry - GDT_TLS >= TLS_ENTRIES)
        return -EINVAL;
    tls[description->entry - GDT_TLS] =
        segment_is_empty(description) ? 0 : segment_encode(description);
    return 0;
}

/* What is a thread's own: three segments, and its stack in the kernel. The
 * segment registers are loaded anew on the way back to the program. */
void segments_save(u64 *tls)
{
    for (u32 n = 0; n < TLS_ENTRIES; n++)
        tls[n] = gdt[GDT_TLS + n];
}

void segments_load(const u64 *tls, u32 kernel_stack)
{
    for (u32 n = 0; n < TLS_ENTRIES; n++)
        gdt[GDT_TLS + n] = tls[n];
    task.esp0 = kernel_stack;
}

s32 segment_get_tls(struct user_desc *description)
{
    u32 low;
    u32 high;

    if (description->entry - GDT_TLS >= TLS_ENTRIES)
        return -EINVAL;
    low = (u32)gdt[description->entry];
    high = (u32)(gdt[description->entry] >> 32);
    description->base = low >> 16 | (high & 0xFF) << 16 | (high & 0xFF000000);
    description->limit = (low & 0xFFFF) | (high & 0xF0000);
    description->flags = (high >> 9 & DESC_CONTENTS) |
                         (high & 1u << 22 ? DESC_32_BIT : 0) |
                         (high & 1u << 9 ? 0 : DESC_READ_EXEC_ONLY) |
                         (high & 1u << 23 ? DESC_LIMIT_IN_PAGES : 0) |
                         (high & 1u << 15 ? 0 : DESC_NOT_PRESENT) |
                         (high & 1u << 20 ? DESC_USEABLE : 0);
    return 0;
}
