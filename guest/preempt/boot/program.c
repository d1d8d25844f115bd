/*
 * program.c: the programs are the boot loader's modules; their names are the
 * last parts of the modules' paths. Each is an ELF file for USER_BASE.
 *
 * Multiboot Specification 0.6.96, 3.3 (boot information); System V ABI,
 * Intel386 supplement (ELF).
 */
#include "kernel.h"

#define PT_LOAD 1
#define PF_W 2

struct boot_information {
    uint32_t flags, unused[4];
    uint32_t module_count, modules;
};

struct module {
    uint32_t start, end, string, reserved;
};

struct elf_header {
    uint8_t ident[16];
    uint16_t type, machine;
    uint32_t version, entry, program_headers, section_headers, flags;
    uint16_t header_size, program_header_size, program_header_count;
};

struct program_header {
    uint32_t type, offset, address, physical, file_size, memory_size, flags,
        alignment;
};

extern const char kernel_end[];
static const struct module *modules;
static uint32_t module_count;

void programs_init(const void *boot_information)
{
    /* The loader's addresses are physical. */
    const struct boot_information *info =
        address_of((uint32_t)boot_information);

    modules = address_of(info->modules);
    module_count = info->flags & 8 ? info->module_count : 0;
}

/* The first byte of memory that nobody has used. */
uint32_t programs_end(void)
{
    uint32_t end = frame_at(kernel_end), n;

    for (n = 0; n < module_count; n++)
        if (modules[n].end > end)
            end = modules[n].end;
    /* What the loader said about them may lie behind the last one. */
    end = (end & -PAGE) + 2 * PAGE;
    if (end >= KERNEL_MEMORY / 2)
        panic("too much has been loaded", end);
    return end;
}

/* "/some/where/init.elf" is called "init". */
static int is_called(const char *path, const char *name)
{
    const char *last = path;

    for (; *path; path++)
        if (*path == '/')
            last = path + 1;
    while (*name && *last == *name)
        last++, name++;
    return *name == 0 && (*last == 0 || same(last, ".elf"));
}

static const struct elf_header *find(const char *name)
{
    uint32_t n;

    for (n = 0; n < module_count; n++)
        if (is_called(address_of(modules[n].string), name))
            return address_of(modules[n].start);
    return 0;
}

/* The pages that come from the file; the rest is zero when touched. */
static int load_segment(struct process *process, const uint8_t *file,
                        const struct program_header *header)
{
    uint32_t end = header->address + header->file_size, page;
    uint32_t bits = header->flags & PF_W ? PTE_WRITABLE : 0;

    for (page = header->address & -PAGE; page < end; page += PAGE) {
        uint32_t from = page < header->address ? header->address : page;
        uint32_t to = page + PAGE < end ? page + PAGE : end;
        uint32_t frame = frame_new();

        if (!frame || space_put(process->directory, page, frame, bits))
            return NO_MEMORY;
        copy((uint8_t *)address_of(frame) + (from - page),
             file + header->offset + (from - header->address), to - from);
    }
    end = header->address + header->memory_size;
    if (end > process->data_end)
        process->data_end = (end + PAGE - 1) & -PAGE;
    return 0;
}

int program_load(struct process *process, const char *name, uint32_t *entry)
{
    const struct elf_header *elf = find(name);
    const struct program_header *header;
    uint32_t n;

    if (!elf)
        return NO_SUCH;
    header = (const void *)((const uint8_t *)elf + elf->program_headers);
    process->data_end = 0;
    for (n = 0; n < elf->program_header_count; n++)
        if (header[n].type == PT_LOAD && header[n].memory_size)
            if (load_segment(process, (const uint8_t *)elf, &header[n]))
                return NO_MEMORY;
    *entry = elf->entry;
    return 0;
}
