/*
 * main.c: the start of the personality: our ordinary kernel's rooms, and the
 * task of the program.
 */
#include "abi/abi.h"
#include "boot/boot.h"
#include "devices/devices.h"
#include "drivers/drivers.h"
#include "files/share.h"
#include "lib/options.h"
#include "lib/panic.h"
#include "lib/random.h"
#include "lib/string.h"
#include "memory/layout.h"
#include "memory/memory.h"
#include "posix/posix.h"
#include "process/process.h"
#include "process/thread.h"

#define PRIORITY 10
#define SLICE_US 10000

static const struct l4_boot *information = (const void *)L4_BOOT_INFORMATION;

char program_name[PATH_MAX];

static void must(s32 result)
{
    if (result)
        panic("the program's task cannot be made: error %d", result);
}

void program_make(void)
{
    must(l4_create(L4_SLOT_FACTORY, L4_KIND_TASK, SLOT_PROGRAM, 0, 0));
    must(l4_create(L4_SLOT_FACTORY, L4_KIND_THREAD, SLOT_RUNS, SLOT_PROGRAM,
                   L4_ROOT_UTCB));
    must(
        l4_create(L4_SLOT_FACTORY, L4_KIND_GATE, SLOT_GATE, L4_SLOT_THREAD, 0));
    must(l4_create(L4_SLOT_FACTORY, L4_KIND_CONTEXT, SLOT_CONTEXT, PRIORITY,
                   SLICE_US));
    must(l4_do(SLOT_RUNS, L4_THREAD_CONTEXT, SLOT_CONTEXT, 0, 0));
    must(l4_do(SLOT_RUNS, L4_THREAD_PAGER, SLOT_GATE, 0, 0));
}

int main(void)
{
    static struct boot_data boot;
    u32 stack, entry;

    serial_init(COM1);
    serial_init(COM2);
    options.core = information->core; /* host_init needs it */
    host_init();
    pager_start();
    vm_reserve();
    multiboot_command_line(0);
    options.core = information->core; /* whatever the command line says */
    multiboot_read(0, &boot);
    vm_map_kernel(boot.module_start, boot.module_end - boot.module_start,
                  TYPE_WRITE_BACK);
    program_make();
    cache_init();
    clock_init();
    random_init(options.core);
    threads_init();
    console_init();
    if (options.share || options.mount_count > 0)
        share_init();
    string_copy(program_name, boot.module_name, PATH_MAX);
    entry = exec_image(boot.module_start, boot.module_end - boot.module_start,
                       program_name, &stack);
    program_enter(entry, stack);
}