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
#define CODE 0x800u
#define DOWNWARDS 0x400u  /* of data */
#define CONFORMING 0x400u /* of code */
#define WRITABLE 0x200u   /* of data */
#define PAGES 0x800000u
#define STUB_BYTES 16
#define WORDS (GUEST_DESCRIPTORS / 32 + 1)

u32 task_state[26];
static u32 for_programs[WORDS]; /* bits: descriptors of ring 3 */
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

/* Where a segment that the current virtual processor may load begins. */
u32 descriptor_base(u32 selector)
{
    return selector / 8 < GUEST_DESCRIPTORS ? base_of(descriptors[selector / 8])
                                            : 0;
}

/* A descriptor that ends before the hypervisor begins; none if it begins behind
 * that place, or holds all but what it says (one that expands down). */
static void cut(u32 index)
{
    u32 *d = descriptors[index], base = base_of(d);
    u32 limit = (d[0] & 0xFFFF) | (d[1] & 0xF0000), most;

    if (base >= VISOR_BASE || (d[1] & (CODE | DOWNWARDS)) == DOWNWARDS) {
        put(index * 8, 0, 0);
        return;
    }
    most = VISOR_BASE - 1 - base;
    if (d[1] & PAGES)
        most >>= 12;
    if (limit <= most)
        return;
    d[0] = (d[0] & 0xFFFF0000u) | (most & 0xFFFF);
    d[1] = (d[1] & ~0xF0000u) | (most & 0xF0000);
}

/* As the guest wrote it, but cut. In ring 3 the page tables keep the hypervisor, and
 * a thread's own segment is whole: its addresses go round, from -1 downwards. */
static void put_guest(u32 index, const u32 *d, bool whole)
{
    u32 high = d[1];

    for_programs[index / 32] &= ~(1u << index % 32);
    if (!(high & PRESENT) || !(high & CODE_OR_DATA)) {
        put(index * 8, 0, 0);
        return;
    }
    if (!(high & RING))
        high |= RING_1;
    put(index * 8, d[0], high);
    if ((high & RING) == RING)
        for_programs[index / 32] |= 1u << index % 32;
    else
        whole = false;
    if (!whole)
        cut(index);
}

static bool is_absent(u32 selector)
{
    return !(descriptors[selector / 8][1] & PRESENT);
}

/* The selectors that the virtual processor has loaded. */
static u32 loaded(const struct vcpu *v, u32 n)
{
    const u32 all[SEGMENTS] = {v->frame.cs, v->frame.ss, v->frame.ds,
                               v->frame.es, v->frame.fs, v->frame.gs};

    return all[n] & 0xFFFC;
}

/* Before LGDT: a processor goes on with the segments that it has loaded, whatever
 * a new table says of them [intel-sdm]. */
void gdt_keep(struct vcpu *v)
{
    for (u32 n = 0; n < SEGMENTS; n++) {
        u32 selector = loaded(v, n);

        if (selector / 8 >= GUEST_DESCRIPTORS || is_absent(selector))
            selector = 0;
        v->kept[n].selector = selector;
        v->kept[n].low = descriptors[selector / 8][0];
        v->kept[n].high = descriptors[selector / 8][1];
    }
}

static void put_kept(const struct vcpu *v)
{
    for (u32 n = 0; n < SEGMENTS; n++) {
        u32 selector = v->kept[n].selector;

        if (selector && selector == loaded(v, n) && is_absent(selector))
            put(selector, v->kept[n].low, v->kept[n].high);
    }
}

/* Takes the guest's table anew; entries that cannot be read are left out. */
void gdt_load(struct vcpu *v)
{
    u32 count = (v->gdt.limit + 1) / 8, d[2];

    for (u32 n = 1; n < GUEST_DESCRIPTORS; n++) {
        d[0] = d[1] = 0;
        if (n < count && v->gdt.base)
            guest_read(v, v->gdt.base + n * 8, d, 8);
        put_guest(n, d, in_program(v));
    }
    if (!v->gdt.base) { /* the boot loader's */
        u32 code[2] = {0xFFFF, 0xCF9A00}, data[2] = {0xFFFF, 0xCF9200};

        put_guest(START_CODE / 8, code, false);
        put_guest(START_DATA / 8, data, false);
    }
    put_kept(v);
}

static bool read_again(struct vcpu *v, u32 selector)
{
    u32 index = selector / 8, d[2];

    if (!index || index >= GUEST_DESCRIPTORS || (selector & 4) ||
        (selector | 7) > v->gdt.limit ||
        !guest_read(v, v->gdt.base + index * 8, d, 8))
        return false;
    put_guest(index, d, in_program(v));
    return !is_absent(selector);
}

/* Whether a ring may execute it, or have its stack there. */
bool segment_fits(struct vcpu *v, u32 selector, u32 ring, bool code)
{
    u32 high, of;

    if ((selector & 4) || selector < 8 || selector / 8 >= GUEST_DESCRIPTORS ||
        (is_absent(selector) && !read_again(v, selector)))
        return false;
    high = descriptors[selector / 8][1];
    of = (high & RING) / RING_1;
    if (code)
        return (high & CODE) && (high & CONFORMING ? of <= ring : of == ring);
    return (high & (CODE | WRITABLE)) == WRITABLE && of == ring;
}

/* Linux writes the descriptors of a thread into a table that is in use. So on
 * the way to a program those that are loaded are read anew, and others that a
 * program may load are taken out: it will miss them. */
void segments_for_program(struct vcpu *v)
{
    for (u32 word = 0; word < WORDS; word++) {
        for (u32 bits = for_programs[word]; bits; bits &= bits - 1)
            put((word * 32 + (u32)__builtin_ctz(bits)) * 8, 0, 0);
        for_programs[word] = 0;
    }
    for (u32 n = 0; n < SEGMENTS; n++)
        read_again(v, loaded(v, n));
}

/* On the way from a program to the guest's kernel. */
void segments_for_kernel(void)
{
    for (u32 word = 0; word < WORDS; word++)
        for (u32 bits = for_programs[word]; bits; bits &= bits - 1)
            cut(word * 32 + (u32)__builtin_ctz(bits));
}

/* Whether a segment that was missing is in the guest's own table. */
bool segment_missed(struct vcpu *v, u32 selector)
{
    return !(selector & 7) && selector / 8 < GUEST_DESCRIPTORS &&
           is_absent(selector) && read_again(v, selector);
}

/* Opens the gates of hypercalls to the guest's kernel, and not to its programs. */
void hypercalls_open(void)
{
    for (u32 n = HYPERCALL_FIRST; n <= HYPERCALL_LAST; n++)
        idt[n][1] |= RING_1;
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
    /* A reset leaves a local table in the guest's first 64 KB. */
    __asm__ volatile("lgdt %0\n\t"
                     "lidt %1\n\t"
                     "lldt %w5\n\t"
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
