/* The start of the kernel of one core.
 *
 * Every core boots its own copy in its own private memory and runs one
 * program. Nothing here waits for another core: all of that is the
 * program's affair, through the message buffers.
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
#include "lib/types.h"
#include "memory/layout.h"
#include "memory/memory.h"
#include "process/process.h"
#include "process/thread.h"
#include "trap/trap.h"

#define LOADER_MAGIC 0x2BADB002u

extern char kernel_stack_top[];

char program_name[PATH_MAX];

void kernel_main(u32 magic, u32 information)
{
    static struct boot_data boot;
    u32 stack;
    u32 entry;

    fetch_lines(kernel_stack_top - STACK_USED, STACK_USED);
    serial_init(COM1);
    serial_init(COM2);
    if (magic != LOADER_MAGIC)
        panic("not started by a multiboot loader: EAX is %08x", magic);
    segment_init();
    trap_init();
    vm_init();
    multiboot_command_line(information);
    host_init();
    multiboot_read(information, &boot);
    if (boot.first_free >= boot.memory_end)
        panic("the program leaves no memory: it ends at %08x of %08x",
              boot.first_free, boot.memory_end);
    frames_init(boot.first_free, boot.memory_end);
    cache_init();
    clock_init();
    apic_init();
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
