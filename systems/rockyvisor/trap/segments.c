/*
 * segments.c: the real GDT, TSS and IDT, and what the guest sees of them.
 *
 * The guest's descriptors are copied to the real GDT when it loads its own:
 * ring 0 becomes ring 1, and a flat segment ends where the hypervisor begins.
 * Gates and task states are left out; the instructions that use them trap.
 */
#include "visor.h"

#define PRESENT 0x8000u /* bits of a descriptor's second word */
#define RING 0x6000u
#define RING_1 0x2000u
#define CODE_OR_DATA 0x1000u
#define PAGES 0x800000u
#define STUB_BYTES 16

u32 task_state[26];
static u32 descriptors[GUEST_DESCRIPTORS + 8][2];
static u32 idt[VECTORS][2];

struct pointer {
    u16 limit;
    u32 base;
} __attribute__((packed));

extern const char vectors[];

static void put(u32 selector, u32 low, u32 high)
{
    descriptors[selector / 8][0] = low;
    descriptors[selector / 8][1] = high;
}

static u32 base_of(const u32 *d)
{
    return d[0] >> 16 | (d[1] & 0xFF) << 16 | (d[1] & 0xFF000000u);
}

/* As the guest wrote it; one that ends beyond the hypervisor's begin is cut. */
static void put_guest(u32 index, const u32 *d)
{
    u32 low = d[0], high = d[1], base = base_of(d), limit, most;

    if (!(high & PRESENT) || !(high & CODE_OR_DATA)) {
        put(index * 8, 0, 0);
        return;
    }
    if (!(high & RING))
        high |= RING_1;
    limit = (low & 0xFFFF) | (high & 0xF0000);
    most = base < VISOR_BASE ? (VISOR_BASE - 1 - base) >> 12 : 0xFFFFF;
    if ((high & PAGES) && limit > most) {
        low = (low & 0xFFFF0000u) | (most & 0xFFFF);
        high = (high & ~0xF0000u) | (most & 0xF0000);
    }
    put(index * 8, low, high);
}

/* Takes the guest's table anew; entries that cannot be read are left out. */
void gdt_load(struct vcpu *v)
{
    u32 count = (v->gdt.limit + 1) / 8, d[2];

    for (u32 n = 1; n < GUEST_DESCRIPTORS; n++) {
        d[0] = d[1] = 0;
        if (n < count && v->gdt.base)
            guest_read(v, v->gdt.base + n * 8, d, 8);
        put_guest(n, d);
    }
    if (!v->gdt.base) { /* the boot loader's */
        u32 code[2] = {0xFFFF, 0xCF9A00}, data[2] = {0xFFFF, 0xCF9200};

        put_guest(START_CODE / 8, code);
        put_guest(START_DATA / 8, data);
    }
}

void segments_init(void)
{
    struct pointer gdtr = {sizeof(descriptors) - 1, (u32)descriptors};
    struct pointer idtr = {sizeof(idt) - 1, (u32)idt};
    u32 base = (u32)task_state;

    task_state[2] = VISOR_DATA;
    task_state[25] = sizeof(task_state) << 16; /* no ports for the guest */
    put(VISOR_CODE, 0xFFFF, 0xCF9A00);
    put(VISOR_DATA, 0xFFFF, 0xCF9200);
    put(TASK_STATE, base << 16 | (sizeof(task_state) - 1),
        (base & 0xFF000000u) | 0x8900 | (base >> 16 & 0xFF));
    for (u32 n = 0; n < VECTORS; n++) {
        u32 handler = (u32)vectors + n * STUB_BYTES;
        /* Breakpoints, overflows and Linux's calls may be raised in ring 3. */
        bool open = n == 3 || n == 4 || n == 0x80;

        idt[n][0] = VISOR_CODE << 16 | (handler & 0xFFFF);
        idt[n][1] = (handler & 0xFFFF0000u) | (open ? 0xEE00 : 0x8E00);
    }
    __asm__ volatile("lgdt %0\n\t"
                     "lidt %1\n\t"
                     "ltr %w2\n\t"
                     "ljmp %3, $1f\n"
                     "1:\n\t"
                     "mov %w4, %%ds\n\t"
                     "mov %w4, %%es\n\t"
                     "mov %w4, %%ss\n\t"
                     "mov %w5, %%fs\n\t"
                     "mov %w5, %%gs"
                     :
                     : "m"(gdtr), "m"(idtr), "r"(TASK_STATE), "i"(VISOR_CODE),
                       "r"(VISOR_DATA), "r"(0)
                     : "memory");
}
