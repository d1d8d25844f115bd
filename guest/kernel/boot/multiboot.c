/* What the boot loader hands over [multiboot-0.6.96]: command line, memory
 * map and module 0, the program. All of it lies somewhere in private memory
 * and is mapped piece by piece. */
#include "abi/abi.h"
#include "boot/boot.h"
#include "lib/options.h"
#include "lib/panic.h"
#include "lib/string.h"
#include "lib/types.h"
#include "memory/layout.h"
#include "memory/memory.h"
#include "scc/cache.h"

#define INFO_MEMORY 0x01u
#define INFO_COMMAND_LINE 0x04u
#define INFO_MODULES 0x08u
#define INFO_MEMORY_MAP 0x40u
#define MEMORY_AVAILABLE 1u
#define ONE_MEGABYTE 0x100000u

struct multiboot_info {
    u32 flags;
    u32 memory_lower, memory_upper; /* KB */
    u32 boot_device;
    u32 command_line;
    u32 module_count, modules;
    u32 symbols[4];
    u32 map_length, map;
};

struct multiboot_module {
    u32 start, end;
    u32 name;
    u32 reserved;
};

struct multiboot_range {
    u32 size; /* of the entry, without this word */
    u64 base, length;
    u32 type;
} __attribute__((packed));

static const void *view(u32 physical, u32 length)
{
    return (const void *)vm_map_kernel(physical, length, TYPE_WRITE_BACK);
}

static const struct multiboot_info *info_at(u32 information)
{
    return view(information, sizeof(struct multiboot_info));
}

/* A string's length is not known before it is seen: one page at a time. */
static u32 read_string(u32 physical, char *text, u32 capacity)
{
    u32 length = 0;
    const char *page = view(physical, 1);

    while (length + 1 < capacity) {
        if ((u32)&text[length] % SCC_LINE_SIZE == 0)
            fetch_lines(&text[length], 1);
        text[length] = *page++;
        if (!text[length])
            break;
        length++;
        if ((physical + length) % PAGE_SIZE == 0)
            page = view(physical + length, 1);
    }
    text[length] = 0;
    return length;
}

#define COMMAND_LINE_MAX 65536u

void multiboot_command_line(u32 information)
{
    static char line[COMMAND_LINE_MAX];
    const struct multiboot_info *info = info_at(information);

    if (!(info->flags & INFO_COMMAND_LINE))
        panic("the boot loader passed no command line");
    if (read_string(info->command_line, line, sizeof(line)) + 1 == sizeof(line))
        panic("the command line is longer than %u bytes", COMMAND_LINE_MAX - 2);
    commandline_parse(line);
}

/* The end of the available range that holds the first megabyte border. */
static u32 memory_end(const struct multiboot_info *info)
{
    const u8 *map;

    if (info->flags & INFO_MEMORY)
        return ONE_MEGABYTE + info->memory_upper * 1024;
    if (!(info->flags & INFO_MEMORY_MAP))
        panic("the boot loader does not say how much memory there is");
    map = view(info->map, info->map_length);
    for (u32 offset = 0; offset < info->map_length;) {
        const struct multiboot_range *range =
            (const struct multiboot_range *)(map + offset);

        if (range->type == MEMORY_AVAILABLE && range->base <= ONE_MEGABYTE &&
            range->base + range->length > ONE_MEGABYTE)
            return (u32)(range->base + range->length);
        offset += range->size + sizeof(range->size);
    }
    panic("no available memory at physical %08x", ONE_MEGABYTE);
}

static u32 information_kept;

static const struct multiboot_module *module_at(u32 n)
{
    const struct multiboot_info *info = info_at(information_kept);

    return view(info->modules + n * sizeof(struct multiboot_module),
                sizeof(struct multiboot_module));
}

static void take_module(const struct multiboot_module *module,
                        struct boot_data *data)
{
    data->module_start = module->start;
    data->module_end = module->end;
    read_string(module->name, data->module_name, PATH_MAX);
}

/* The module of this name. */
bool multiboot_find(const char *name, struct boot_data *data)
{
    u32 count = info_at(information_kept)->module_count;

    for (u32 n = 0; n < count; n++) {
        take_module(module_at(n), data);
        if (string_equal(data->module_name, name))
            return true;
    }
    return false;
}

static void raise(u32 *mark, u32 end)
{
    if (end > *mark)
        *mark = end;
}

void multiboot_read(u32 information, struct boot_data *data)
{
    const struct multiboot_info *info = info_at(information);
    const struct multiboot_module *module;
    u32 chosen = start_module();

    information_kept = information;
    if (!(info->flags & INFO_MODULES) || info->module_count <= chosen)
        panic("the boot loader passed no program (module %u)", chosen);
    module = module_at(chosen);
    take_module(module, data);
    data->memory_end = memory_end(info);
    data->first_free = vm_kernel_physical(kernel_end);
    raise(&data->first_free, module->end);
    raise(&data->first_free, module->name + PATH_MAX);
    /* The others stay, too, for execve. */
    for (u32 n = 0; n < info->module_count; n++)
        if (n != chosen) {
            module = module_at(n);
            raise(&data->first_free, module->end);
            raise(&data->first_free, module->name + PATH_MAX);
        }
    raise(&data->first_free, information + sizeof(*info));
    raise(&data->first_free,
          info->modules + info->module_count * sizeof(*module));
    raise(&data->first_free, info->command_line + COMMAND_LINE_MAX);
}
