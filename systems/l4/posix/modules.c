/*
 * modules.c: programs among the modules: the last one runs, and execve finds
 * the others by name.
 */
#include "boot/boot.h"
#include "lib/options.h"
#include "lib/panic.h"
#include "lib/string.h"
#include "memory/layout.h"
#include "memory/memory.h"
#include "posix/posix.h"

#define LINE_MAX 65536u

static const struct l4_boot *boot = (const void *)L4_BOOT_INFORMATION;

static void take_module(const struct l4_module *module, struct boot_data *data)
{
    data->module_start = module->start;
    data->module_end = module->end;
    string_copy(data->module_name, module->name, PATH_MAX);
}

void multiboot_read(u32 information, struct boot_data *data)
{
    (void)information;
    take_module(&boot->modules[boot->module_count - 1], data);
}

bool multiboot_find(const char *name, struct boot_data *data)
{
    for (u32 n = 0; n < boot->module_count; n++)
        if (string_equal(boot->modules[n].name, name)) {
            take_module(&boot->modules[n], data);
            return true;
        }
    return false;
}

/* A line among the modules may be the last thing below the kernel's memory. */
static u32 line_bytes(void)
{
    u32 end = 0;

    for (u32 n = 0; n < boot->module_count; n++)
        if (boot->modules[n].end > end)
            end = boot->modules[n].end;
    end = (end + PAGE_SIZE - 1) & -PAGE_SIZE;
    if (boot->command_line < end && end - boot->command_line < LINE_MAX)
        return end - boot->command_line;
    return LINE_MAX;
}

void multiboot_command_line(u32 information)
{
    (void)information;
    if (!boot->command_line)
        panic("the boot loader passed no command line");
    commandline_parse((const char *)vm_map_kernel(
        boot->command_line, line_bytes(), TYPE_WRITE_BACK));
}
