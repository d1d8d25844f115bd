/* main.c: the hypervisor starts on a core. */
#include "boot/loading.h"
#include "scc/registers.h"
#include "common/processor.h"

#define LOADER_MAGIC 0x2BADB002u

extern const char visor_end[];
extern u32 boot_directory[1024];
u32 core_index;
static u32 core_number;

u32 own_core(void)
{
    return core_number;
}

static void find_core(void)
{
    u32 id = read_register(device_page(SCC_CRB_OWN) + SCC_CRB_TILEID);

    core_number = ((id >> 7 & 0xF) * 6 + (id >> 3 & 0xF)) * 2 + (id & 7);
    host_init(core_number);
    if (id & SCC_CRB_TILEID_EXTENDED)
        stop("this hypervisor knows the SCC's 48 cores, and this is another "
             "chip");
}

/* A core that boots and is not among the guest's has nothing to do. */
static void find_index(void)
{
    while (core_index < options.core_count &&
           options.cores[core_index] != core_number)
        core_index++;
    if (core_index == options.core_count)
        core_end(0);
}

void main(u32 magic, u32 information)
{
    u32 end;

    find_core();
    segments_init();
    if (magic != LOADER_MAGIC)
        give_up("not started by a multiboot loader: EAX", magic);
    end = boot_read(information, physical_of(visor_end));
    find_index();
    if (options.has_hypercalls)
        hypercalls_open();
    boot_directory[0] = 0;
    write_cr3(physical_of(boot_directory));
    pool_init(end, VISOR_SEES);
    timer_init();
    shadow_init();
    coherence_init();
    ports_init();
    console_init();
    service_init();
    vcpus_init();
    if (core_index == 0) {
        guest_load(&vcpus[0]);
        tables_put();
        vcpus[0].state = RUNS;
    }
    resume();
}
