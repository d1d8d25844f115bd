/* Segment descriptors: flat code and data, the task state, thread-local
 * storage. */
#include "defs.h"
#include "x86.h"

/* Access bytes and flags [intel-pentium-manual]. */
#define ACCESS_KERNEL_CODE 0x9Au
#define ACCESS_KERNEL_DATA 0x92u
#define ACCESS_USER_CODE 0xFAu
#define ACCESS_USER_DATA 0xF2u
#define ACCESS_TASK 0x89u
#define FLAGS_32_BIT_4_KB 0xCu
#define FLAGS_32_BIT_BYTES 0x4u

/* user_desc flags of set_thread_area. */
#define DESCRIPTION_LIMIT_IN_PAGES 0x10u
#define DESCRIPTION_NOT_PRESENT 0x20u
#define TLS_ENTRIES 3u

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
    __asm__ volatile("ljmp %0, $1f\n"
                     "1: movl %1, %%ds\n"
                     "movl %1, %%es\n"
                     "movl %1, %%ss\n"
                     "movl %2, %%fs\n"
                     "movl %2, %%gs"
                     :
                     : "i"(KERNEL_CS), "r"(KERNEL_DS), "r"(0)
                     : "memory");
    load_task_register(GDT_TSS * 8);
}

static s32 free_tls_entry(void)
{
    for (u32 n = GDT_TLS; n < GDT_TLS + TLS_ENTRIES; n++)
        if (!gdt[n])
            return (s32)n;
    return -ESRCH;
}

/* Fills in the entry number when the program leaves the choice to us. */
s32 segment_set_tls(struct user_desc *description)
{
    u32 in_pages = description->flags & DESCRIPTION_LIMIT_IN_PAGES;

    if (description->entry == ~0u) {
        s32 entry = free_tls_entry();

        if (entry < 0)
            return entry;
        description->entry = (u32)entry;
    }
    if (description->entry - GDT_TLS >= TLS_ENTRIES)
        return -EINVAL;
    gdt[description->entry] = 0;
    if (!(description->flags & DESCRIPTION_NOT_PRESENT))
        gdt[description->entry] =
            descriptor(description->base, description->limit, ACCESS_USER_DATA,
                       in_pages ? FLAGS_32_BIT_4_KB : FLAGS_32_BIT_BYTES);
    return 0;
}

/* Whether ring 3 may have this selector in DS, ES, FS or GS. */
bool segment_valid(u32 selector)
{
    u32 entry = selector / 8;

    if ((selector & 0xFFFF) < 4)
        return true;
    if ((selector & 7) != 3 || entry >= GDT_ENTRIES || !gdt[entry])
        return false;
    return entry == USER_DS / 8 || entry - GDT_TLS < TLS_ENTRIES;
}
