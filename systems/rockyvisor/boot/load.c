/*
 * load.c: the guest's kernel, the first module: an ELF image by its physical
 * addresses, started as the Multiboot Specification says.
 */
#include "boot/loading.h"

#define ELF_MAGIC 0x464C457Fu
#define EXECUTABLE 2
#define I386 3
#define PT_LOAD 1
#define MULTIBOOT_HEADER 0x1BADB002u
#define MULTIBOOT_WITHIN 8192u
#define LOADER_MAGIC 0x2BADB002u
#define INFORMATION 0x9000u /* where the guest finds what the loader left */
#define COMMAND_LINE 0x9100u
#define COMMAND_LINE_MAX 0x700u
#define LOW_MEMORY 639u /* KB */

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

static const u8 *image;
static u32 image_bytes;

static void put(u32 gpa, const void *from, u32 bytes)
{
    if (!physical_write(gpa, from, bytes))
        give_up("the guest's kernel does not fit its memory (memory=MB), at",
                gpa);
}

static void clear(u32 gpa, u32 bytes)
{
    static const u8 zeros[PAGE];

    for (; bytes; gpa += PAGE) {
        u32 part = bytes < PAGE ? bytes : PAGE;

        put(gpa, zeros, part);
        bytes -= part;
    }
}

static void load_segments(const struct header *h)
{
    const struct segment *s = (const void *)(image + h->segments);

    if (h->segments > image_bytes ||
        h->segment_count * sizeof(*s) > image_bytes - h->segments)
        stop("the guest's kernel is cut short");
    for (u32 n = 0; n < h->segment_count; n++, s++) {
        if (s->type != PT_LOAD || !s->memory_size)
            continue;
        if (s->offset > image_bytes || s->file_size > image_bytes - s->offset ||
            s->file_size > s->memory_size)
            stop("the guest's kernel is cut short");
        put(s->physical, image + s->offset, s->file_size);
        clear(s->physical + s->file_size, s->memory_size - s->file_size);
    }
}

static bool has_multiboot_header(void)
{
    for (u32 at = 0; at + 12 <= image_bytes && at < MULTIBOOT_WITHIN; at += 4) {
        const u32 *word = (const void *)(image + at);

        if (word[0] == MULTIBOOT_HEADER && word[0] + word[1] + word[2] == 0)
            return true;
    }
    return false;
}

static void put_command_line(u32 gpa)
{
    u32 length = 0;

    while (options.command_line[length])
        length++;
    if (length >= COMMAND_LINE_MAX)
        stop("the guest's command line is longer than 1791 characters");
    put(gpa, options.command_line, length + 1);
}

static void start_multiboot(struct vcpu *v)
{
    u32 information[22] = {0};

    information[0] = 1 | 4; /* memory, command line */
    information[1] = LOW_MEMORY;
    information[2] = options.memory / 1024 - 1024;
    information[4] = COMMAND_LINE;
    put_command_line(COMMAND_LINE);
    put(INFORMATION, information, sizeof(information));
    v->frame.eax = LOADER_MAGIC;
    v->frame.ebx = INFORMATION;
}

void guest_load(struct vcpu *v)
{
    const struct header *h;

    image = (const u8 *)VISOR_BASE + guest_kernel.start;
    image_bytes = guest_kernel.end - guest_kernel.start;
    h = (const void *)image;
    if (image_bytes < sizeof(*h) || h->magic != ELF_MAGIC ||
        h->type != EXECUTABLE || h->machine != I386 ||
        h->segment_size != sizeof(struct segment))
        stop("the first module is not an i386 ELF kernel");
    load_segments(h);
    v->frame.cs = START_CODE | 1;
    v->frame.ss = v->frame.ds = v->frame.es = START_DATA | 1;
    v->frame.fs = v->frame.gs = START_DATA | 1;
    v->cr0 |= 1;
    v->frame.eip = h->entry;
    if (!has_multiboot_header())
        stop("the guest's kernel has no multiboot header");
    start_multiboot(v);
}
