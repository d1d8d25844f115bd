/*
 * options.c: what the boot loader left: the command line and the modules
 * [multiboot-0.6.96].
 *
 * The command line: `cores=0,1,6-9 vcpus=N memory=MB frames=N tlb apart hypercalls
 * report pages input -- the guest's`.
 */
#include "boot/loading.h"

#define INFO_COMMAND_LINE 0x04u
#define INFO_MODULES 0x08u
#define MEMORY_DEFAULT 32u /* MB */
#define MEMORY_MOST 48u    /* the rest is for pages that move, memory/ */

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

struct options options;
struct module guest_kernel;

static const void *seen(u32 physical, u32 bytes)
{
    if (physical + bytes > VISOR_SEES)
        give_up("what the boot loader left lies beyond 32 MB, at", physical);
    return (const void *)(VISOR_BASE + physical);
}

static u32 number(const char **at)
{
    u32 value = 0;

    if (**at < '0' || **at > '9')
        stop("a number is missing on the command line");
    for (; **at >= '0' && **at <= '9'; ++*at)
        value = value * 10 + (u32)(**at - '0');
    return value;
}

static void take_cores(const char *at)
{
    options.core_count = 0;
    do {
        u32 first = number(&at), last = first;

        if (*at == '-') {
            at++;
            last = number(&at);
        }
        if (last < first)
            stop("cores= has a range that ends before it begins");
        for (u32 core = first; core <= last; core++) {
            if (core >= CORES || options.core_count == CORES)
                stop("cores= names cores that the chip has not");
            options.cores[options.core_count++] = core;
        }
    } while (*at++ == ',');
}

static void take_option(const char *at)
{
    if (text_starts(at, "cores=")) {
        take_cores(at + 6);
    } else if (text_starts(at, "vcpus=")) {
        at += 6;
        options.per_core = number(&at);
    } else if (text_starts(at, "memory=")) {
        at += 7;
        options.memory = number(&at);
    } else if (text_starts(at, "frames=")) {
        at += 7;
        options.frames = number(&at);
    } else if (text_starts(at, "tlb")) {
        options.flushes_tables = true;
    } else if (text_starts(at, "apart")) {
        options.is_apart = true;
    } else if (text_starts(at, "hypercalls")) {
        options.has_hypercalls = true;
    } else if (text_starts(at, "report")) {
        options.reports = true;
    } else if (text_starts(at, "pages")) {
        options.lists_pages = true;
    } else if (text_starts(at, "input")) {
        options.asks_for_input = true;
    } else {
        stop("the command line is: cores=LIST vcpus=N memory=MB frames=N tlb "
             "apart hypercalls report pages input -- the guest's own");
    }
}

static void take_command_line(const char *at)
{
    options.command_line = "";
    while (*at) {
        if (text_starts(at, "--") && (at[2] == ' ' || !at[2])) {
            options.command_line = at + (at[2] ? 3 : 2);
            return;
        }
        take_option(at);
        while (*at && *at != ' ')
            at++;
        while (*at == ' ')
            at++;
    }
}

static u32 take_modules(const struct information *info, u32 end)
{
    const struct loaded *loaded;

    if (!(info->flags & INFO_MODULES) || !info->module_count)
        stop("no guest: pass its kernel as the first module, for example "
             "rck boot visor.elf --module guest.elf");
    loaded = seen(info->modules, info->module_count * sizeof(*loaded));
    for (u32 n = 0; n < info->module_count; n++, loaded++) {
        seen(loaded->start, loaded->end - loaded->start);
        if (n == 0)
            guest_kernel = (struct module){loaded->start, loaded->end};
        end = loaded->end > end ? loaded->end : end;
        end = loaded->name > end ? loaded->name : end;
    }
    return end;
}

/* Returns where free memory begins. */
u32 boot_read(u32 information, u32 end)
{
    const struct information *info = seen(information, sizeof(*info));

    options.cores[0] = own_core();
    options.core_count = options.per_core = 1;
    options.memory = MEMORY_DEFAULT;
    if (information > end)
        end = information;
    if (info->flags & INFO_COMMAND_LINE) {
        take_command_line(seen(info->command_line, 1));
        if (info->command_line + PAGE > end)
            end = info->command_line + PAGE;
    }
    if (!options.per_core || options.per_core > VCPUS_MAX)
        stop("vcpus= is 1 to 4, of each core");
    if (options.memory < 2 || options.memory > MEMORY_MOST)
        stop("memory= is 2 to 48 MB");
    options.memory *= 0x100000u;
    return take_modules(info, end) + 2 * PAGE;
}
