/*
 * image.c: the two ELF images that the kernel itself maps, where the loader
 * left them. Their linker script makes each page of memory a page of the file.
 */
#include "kernel/boot/begin.h"

#define ELF_MAGIC 0x464C457Fu
#define PT_LOAD 1
#define PF_W 2

struct header {
    u32 magic;
    u8 rest[12];
    u16 type, machine;
    u32 version, entry, segments, sections, flags;
    u16 size, segment_size, segment_count;
};

struct segment {
    u32 type, offset, address, physical, file_size, memory_size, flags, align;
};

static void refuse(const struct l4_module *module, const char *why)
{
    print("l4: module ");
    print(module->name);
    print(" ");
    print(why);
    print("\n");
    core_end(1);
}

static void map_segment(struct task *task, const struct l4_module *module,
                        const struct segment *s)
{
    u32 bits = s->flags & PF_W ? PTE_WRITE : 0;
    u32 length = module->end - module->start;

    if (s->offset % PAGE || s->address % PAGE || s->file_size != s->memory_size)
        refuse(module, "was not linked by the script of this system");
    if (s->offset > length || s->file_size > length - s->offset)
        refuse(module, "is cut short");
    for (u32 at = 0; at < s->file_size; at += PAGE)
        if (map_root(&task->space, s->address + at,
                     module->start + s->offset + at, bits))
            refuse(module, "does not fit, or kernel memory is too small");
}

/* Returns where it begins. */
u32 module_map(struct task *task, const struct l4_module *module)
{
    const struct header *header;
    const struct segment *segments;

    /* One page of the window for devices shows it. */
    header = (const void *)device_page(8, module->start);
    if (module->end - module->start < sizeof(*header) ||
        header->magic != ELF_MAGIC)
        refuse(module, "is not an ELF image");
    if (header->segments + header->segment_count * sizeof(*segments) > PAGE ||
        header->segment_size != sizeof(*segments))
        refuse(module, "has its program headers too far behind");
    segments = (const void *)((const char *)header + header->segments);
    for (u32 n = 0; n < header->segment_count; n++)
        if (segments[n].type == PT_LOAD && segments[n].memory_size)
            map_segment(task, module, &segments[n]);
    return header->entry;
}
