/* execve: the same program once more, or another one that the boot loader
 * left as a module, in the place of the one that runs. The last part of the
 * path says which. Open descriptors stay, but those that are to be closed. */
#include "abi/abi.h"
#include "boot/boot.h"
#include "inner/inner.h"
#include "lib/options.h"
#include "lib/string.h"
#include "lib/types.h"
#include "lib/x86.h"
#include "memory/layout.h"
#include "memory/memory.h"
#include "memory/region.h"
#include "open_files/file.h"
#include "process/process.h"
#include "process/signal.h"
#include "process/thread.h"
#include "syscall/syscall.h"

#define STRINGS_MAX 32768u

/* Arguments and environment: of the program that runs (options has them), and
 * of the one that will. */
static char strings[2][STRINGS_MAX];
static u32 next;

/* Copies the strings of a list of pointers behind what is stored; how many
 * there are, or an error. */
static s32 take_list(u32 list, u32 *stored)
{
    s32 count = 0;
    u32 string;

    for (; list; list += sizeof(string), count++) {
        s32 length;

        if (copy_in(&string, list, sizeof(string)))
            return -EFAULT;
        if (!string)
            break;
        length = copy_in_string(&strings[next][*stored], string,
                                STRINGS_MAX - *stored);
        if (length < 0)
            return length == -ENAMETOOLONG ? -E2BIG : length;
        *stored += (u32)length + 1;
    }
    return count;
}

/* What the program that ends here had. */
static s32 leave_program(void)
{
    s32 error = shared_remove(USER_START, USER_END);

    if (!error)
        error = regions_leave();
    if (error)
        return error;
    descriptors_leave();
    memory_files_collect();
    threads_leave();
    signals_leave();
    posix_timers_leave();
    segments_leave();
    x87_reset();
    return 0;
}

s32 sys_execve(const u32 *args)
{
    static char path[PATH_MAX];
    static struct boot_data boot;
    u32 stored = 0, stack, entry;
    s32 arguments, variables;
    s32 error = copy_in_string(path, args[0], PATH_MAX);

    if (error < 0)
        return error;
    if (!multiboot_find(path_last(path), &boot))
        return -ENOENT;
    arguments = take_list(args[1], &stored);
    if (arguments < 0)
        return arguments;
    u32 environment = stored;
    variables = take_list(args[2], &stored);
    if (variables < 0)
        return variables;
    error = leave_program();
    if (error)
        return error;
    options.arguments = strings[next];
    options.argument_count = (u32)arguments;
    options.environment = strings[next] + environment;
    options.environment_count = (u32)variables;
    next = 1 - next;
    string_copy(program_name, boot.module_name, PATH_MAX);
    entry = exec_image(boot.module_start, boot.module_end - boot.module_start,
                       program_name, &stack);
    program_enter(entry, stack);
}
