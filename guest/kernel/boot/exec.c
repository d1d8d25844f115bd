/* Loads the program: a static i386 ELF image that the boot loader left in
 * memory as module 0.
 *
 * Read-only segments are not copied: their pages are the module's frames.
 * Writable segments are, since two segments may share a page of the file.
 */
#include "abi/abi.h"
#include "boot/boot.h"
#include "boot/elf.h"
#include "files/files.h"
#include "lib/panic.h"
#include "lib/string.h"
#include "lib/types.h"
#include "memory/layout.h"
#include "memory/memory.h"
#include "memory/region.h"
#include "syscall/syscall.h"

struct image {
    u32 physical, length;
    const char *name;
    u32 bias; /* added to all addresses of a position-independent image */
    const struct elf_header *header;
    const struct elf_segment *segments;
};

static void check_header(const struct image *image)
{
    const struct elf_header *header = image->header;

    if (image->length < sizeof(*header) || header->magic != ELF_MAGIC)
        panic("%s is not an ELF image", image->name);
    if (header->class != ELF_CLASS_32 || header->data != ELF_LITTLE_ENDIAN ||
        header->machine != ELF_MACHINE_386)
        panic("%s is not an i386 image: class %u, machine %u", image->name,
              header->class, header->machine);
    if (header->type != ELF_EXECUTABLE && header->type != ELF_SHARED)
        panic("%s is not executable: ELF type %u", image->name, header->type);
    if (header->program_header_size != sizeof(struct elf_segment) ||
        header->program_headers > image->length ||
        header->program_header_count * sizeof(struct elf_segment) >
            image->length - header->program_headers)
        panic("%s has program headers outside the file", image->name);
}

static void check_segment(const struct image *image,
                          const struct elf_segment *segment)
{
    u32 start = image->bias + segment->address;
    u32 end = start + segment->memory_size;

    if (segment->type == PT_INTERP)
        panic("%s is dynamically linked; link it with -static", image->name);
    if (segment->type != PT_LOAD || segment->memory_size == 0)
        return;
    if (segment->offset > image->length ||
        segment->file_size > image->length - segment->offset ||
        segment->file_size > segment->memory_size)
        panic("%s is cut short: a segment lies outside the file", image->name);
    if (start < USER_START || end < start || end > MMAP_TOP)
        panic("%s has a segment outside user space: %08x to %08x", image->name,
              start, end);
    if ((start ^ segment->offset) % PAGE_SIZE)
        panic("%s has a segment at %08x that does not fit file offset %08x",
              image->name, start, segment->offset);
    if (!region_free(PAGE_DOWN(start), PAGE_UP(end)))
        panic("%s has overlapping segments at %08x", image->name, start);
}

static void map_page(u32 page, u32 frame, u32 bits)
{
    if (!frame || vm_map(page, frame, PTE_PRESENT | bits))
        panic("no memory to load the program at %08x", page);
}

/* The pages that hold bytes of the file; the rest appears when touched. */
static void share_pages(const struct image *image,
                        const struct elf_segment *segment, u32 start)
{
    u32 physical = image->physical + segment->offset;
    u32 end = start + segment->file_size;

    for (u32 page = PAGE_DOWN(start); page < end; page += PAGE_SIZE)
        map_page(page, PAGE_DOWN(physical) + (page - PAGE_DOWN(start)),
                 PTE_USER);
}

static void copy_pages(const struct image *image,
                       const struct elf_segment *segment, u32 start, u32 bits)
{
    u32 end = start + segment->file_size;
    const void *bytes;

    if (segment->file_size == 0)
        return;
    bytes = (const void *)vm_map_kernel(image->physical + segment->offset,
                                        segment->file_size, TYPE_WRITE_BACK);
    /* Cleared whatever they hold: that brings their lines into the L2, where
     * the copy's stores and the program's own find them. */
    for (u32 page = PAGE_DOWN(start); page < end; page += PAGE_SIZE) {
        enum frame_content content;

        map_page(page, frame_alloc(&content), PTE_WRITE | PTE_OWNED);
        vm_clear_page(page);
    }
    memcpy((void *)start, bytes, segment->file_size);
    for (u32 page = PAGE_DOWN(start); page < end; page += PAGE_SIZE)
        map_page(page, *vm_entry(page) & PTE_FRAME,
                 PTE_USER | PTE_OWNED | bits);
}

static void load_segment(const struct image *image,
                         const struct elf_segment *segment)
{
    u32 start = image->bias + segment->address;
    bool writable = segment->flags & PF_WRITE;
    struct region region = {
        .start = PAGE_DOWN(start),
        .end = PAGE_UP(start + segment->memory_size),
        .protection = PROT_READ | PROT_EXEC | (writable ? PROT_WRITE : 0),
    };

    if (segment->type != PT_LOAD || segment->memory_size == 0)
        return;
    if (region_add(&region))
        panic("%s has too many segments", image->name);
    /* What must read as zero behind the file's bytes needs frames of its
     * own; in the module other sections follow there. */
    if (writable || segment->memory_size != segment->file_size)
        copy_pages(image, segment, start, writable ? PTE_WRITE : 0);
    else
        share_pages(image, segment, start);
}

/* Where the program finds its own program headers in memory. */
static u32 headers_address(const struct image *image)
{
    u32 offset = image->header->program_headers;

    for (u32 n = 0; n < image->header->program_header_count; n++) {
        const struct elf_segment *s = &image->segments[n];

        if (s->type == PT_LOAD && offset >= s->offset &&
            offset - s->offset < s->file_size)
            return image->bias + s->address + (offset - s->offset);
    }
    return 0;
}

/* Returns the entry point; *stack is the program's first stack pointer. */
u32 exec_image(u32 physical, u32 length, const char *name, u32 *stack)
{
    struct image image = {.physical = physical, .length = length};
    u32 top = 0;
    u32 count;

    image.name = name;
    if (physical % PAGE_SIZE)
        panic("the boot loader left %s at %08x, not on a page", name, physical);
    image.header = (const struct elf_header *)vm_map_kernel(physical, PAGE_SIZE,
                                                            TYPE_WRITE_BACK);
    check_header(&image);
    count = image.header->program_header_count;
    image.segments = (const struct elf_segment *)vm_map_kernel(
        physical + image.header->program_headers,
        count * sizeof(struct elf_segment) + 1, TYPE_WRITE_BACK);
    if (image.header->type == ELF_SHARED)
        image.bias = PIE_BASE;
    for (u32 n = 0; n < count; n++) {
        const struct elf_segment *segment = &image.segments[n];
        u32 end = image.bias + segment->address + segment->memory_size;

        check_segment(&image, segment);
        load_segment(&image, segment);
        if (segment->type == PT_LOAD && end > top)
            top = end;
    }
    if (!top)
        panic("%s has nothing to load", name);
    memory_set_break(PAGE_UP(top));
    proc_set_image(physical, length);
    *stack = program_stack(name, image.bias + image.header->entry,
                           headers_address(&image), count);
    return image.bias + image.header->entry;
}
