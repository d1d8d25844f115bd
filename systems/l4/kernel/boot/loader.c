/*
 * loader.c: what the boot loader left [multiboot-0.6.96], and where kernel
 * memory lies.
 */
#include "kernel/boot/begin.h"

#define INFO_MEMORY 0x01u
#define INFO_COMMAND_LINE 0x04u
#define INFO_MODULES 0x08u
#define SEEN 0x400000u /* the kernel sees so much of physical memory */
#define COMMAND_LINE_MAX 0x10000u
#define POOL_SHARE 16 /* of private memory: one page in so many */
#define POOL_MAX (POOL_TABLES * 0x400000u)

struct information {
    u32 flags;
    u32 memory_lower, memory_upper; /* KB */
    u32 boot_device;
    u32 command_line;
    u32 module_count, modules;
};

struct loaded {
    u32 start, end, name, reserved;
};

struct l4_boot boot_data __attribute__((aligned(PAGE)));
/* The page of boot_data is shown to programs: nothing else lies in it. */
_Static_assert(sizeof(struct l4_boot) <= PAGE, "boot information is a page");

extern const char kernel_end[];
static const char *command_line = "";

static const void *seen(u32 physical, u32 bytes)
{
    if (physical + bytes > SEEN)
        give_up("the loader's information lies too high", physical);
    return (const void *)(physical + KERNEL_BASE);
}

static bool starts(const char *text, const char *with)
{
    while (*with && *text == *with)
        text++, with++;
    return *with == 0;
}

/* The number of "key=number" among the words of the command line; 0: not there. */
u32 option_number(const char *key)
{
    const char *at = command_line;
    u32 value = 0;

    while (*at && !starts(at, key)) {
        while (*at && *at != ' ')
            at++;
        while (*at == ' ')
            at++;
    }
    while (*at && *at != '=')
        at++;
    for (at += *at == '='; *at >= '0' && *at <= '9'; at++)
        value = value * 10 + (u32)(*at - '0');
    return value;
}

/* "/some/where/root.elf" is called "root.elf". */
static void take_name(char *name, const char *path)
{
    const char *last = path;
    u32 n = 0;

    for (; *path && *path != ' '; path++)
        if (*path == '/')
            last = path + 1;
    while (last[n] && last[n] != ' ' && n < L4_NAME_MAX - 1) {
        name[n] = last[n];
        n++;
    }
    name[n] = 0;
}

static u32 take_modules(const struct information *info, u32 end)
{
    const struct loaded *loaded;

    if (!(info->flags & INFO_MODULES) || info->module_count == 0)
        stop("no modules: pass sigma0.elf and a root task, for example "
             "rck boot kernel.elf --module sigma0.elf --module root.elf");
    if (info->module_count > L4_MODULES_MAX)
        give_up("more modules than the kernel can list", info->module_count);
    loaded = seen(info->modules, info->module_count * sizeof(*loaded));
    for (u32 n = 0; n < info->module_count; n++, loaded++) {
        struct l4_module *module = &boot_data.modules[n];

        module->start = loaded->start;
        module->end = loaded->end;
        take_name(module->name, seen(loaded->name, L4_NAME_MAX));
        if (loaded->start % PAGE)
            give_up("a module does not begin at a page", loaded->start);
        end = loaded->end > end ? loaded->end : end;
        end = loaded->name > end ? loaded->name : end;
    }
    boot_data.module_count = info->module_count;
    return end;
}

void boot_read(u32 information)
{
    const struct information *info = seen(information, sizeof(*info));
    u32 end = pool_physical(kernel_end), bytes;

    if (information > end)
        end = information;
    if (info->flags & INFO_COMMAND_LINE) {
        command_line = seen(info->command_line, 1);
        boot_data.command_line = info->command_line;
        if (info->command_line + COMMAND_LINE_MAX > end)
            end = info->command_line + COMMAND_LINE_MAX;
    }
    if (!(info->flags & INFO_MEMORY))
        stop("the loader does not say how much memory there is");
    end = (take_modules(info, end) + 2 * PAGE - 1) & -PAGE;
    boot_data.memory_end = 0x100000 + info->memory_upper * 1024;
    bytes = option_number("kmem=") * 1024;
    if (!bytes)
        bytes = (boot_data.memory_end / POOL_SHARE) & -PAGE;
    if (bytes > POOL_MAX)
        bytes = POOL_MAX;
    if (end + bytes > boot_data.memory_end)
        give_up("modules and kernel memory do not fit: they end at",
                end + bytes);
    pool_init(end, bytes);
    memory_keep(0x100000, pool_physical(kernel_end));
    memory_keep(end, end + bytes);
    boot_data.memory_start = end + bytes;
}

const struct l4_module *module_named(const char *name)
{
    const struct l4_module *found = NULL;

    for (u32 n = 0; n < boot_data.module_count; n++) {
        if (!text_equal(boot_data.modules[n].name, name))
            continue;
        if (found)
            give_up("two modules have the name of a task that the kernel "
                    "starts: the second is number",
                    n);
        found = &boot_data.modules[n];
    }
    if (!found) {
        print("l4: there is no module ");
        print(name);
        print("\n");
        core_end(1);
    }
    return found;
}
