/*
 * image.c: the program: a static i386 ELF image. Pages that nobody writes are
 * the module's own, the others are copied.
 */
#include "posix/posix.h"

#define SEEN 0x10000000u /* where physical 0 would be seen */

static const char *show(const struct l4_module *module)
{
    for (uint32_t at = module->start; at < module->end;
         at += L4_PAGES_MAX * PAGE) {
        uint32_t left = (module->end - at + PAGE - 1) / PAGE;

        if (take_pages_at(at, SEEN + at,
                          left < L4_PAGES_MAX ? left : L4_PAGES_MAX, 0))
            die("the last module is no program, or another task has it", at, 1);
    }
    return (const char *)SEEN + module->start;
}

static void check(const struct elf_header *h, uint32_t length)
{
    if (length < sizeof(*h) || h->magic != ELF_MAGIC ||
        h->machine != ELF_MACHINE_386 || h->type != ELF_EXECUTABLE)
        die("the program is not a static i386 ELF image", 0, 1);
    if (h->segment_size != sizeof(struct elf_segment) || h->segments > length ||
        h->segment_count * sizeof(struct elf_segment) > length - h->segments)
        die("the program's headers lie outside its file", 0, 1);
}

static void load(const char *file, uint32_t length, const struct elf_segment *s)
{
    uint32_t start = s->address & -PAGE, at;
    uint32_t end = (s->address + s->memory_size + PAGE - 1) & -PAGE;
    int write = (s->flags & ELF_WRITE) != 0;

    if (s->offset > length || s->file_size > length - s->offset ||
        s->file_size > s->memory_size || (s->offset ^ s->address) % PAGE)
        die("the program is cut short: a segment lies outside the file",
            s->address, 1);
    if (region_add(start, end, 1))
        die("the program has a segment that overlaps another one", start, 1);
    if (!write && s->file_size == s->memory_size)
        for (at = start; at < end; at += PAGE)
            memory_share(at, file + (s->offset & -PAGE) + (at - start));
    else if (memory_out(s->address, file + s->offset, s->file_size))
        die("no memory to load the program", s->address, 1);
    /* What is read-only is filled by now. */
    if (!write)
        region_seal(start);
}

/* Returns the end of the image in memory. */
uint32_t image_load(const struct l4_module *module, struct elf_header *header,
                    uint32_t *headers_user)
{
    const char *file = show(module);
    uint32_t length = module->end - module->start, top = 0;
    const struct elf_segment *s;

    *header = *(const struct elf_header *)file;
    check(header, length);
    s = (const void *)(file + header->segments);
    for (uint32_t n = 0; n < header->segment_count; n++, s++) {
        if (s->type == ELF_INTERPRETER)
            die("the program is dynamically linked; link it with -static", 0,
                1);
        if (s->type != ELF_LOAD || !s->memory_size)
            continue;
        load(file, length, s);
        if (s->address + s->memory_size > top)
            top = s->address + s->memory_size;
        if (header->segments >= s->offset &&
            header->segments - s->offset < s->file_size)
            *headers_user = s->address + header->segments - s->offset;
    }
    if (!top)
        die("the program has nothing to load", 0, 1);
    return (top + PAGE - 1) & -PAGE;
}
