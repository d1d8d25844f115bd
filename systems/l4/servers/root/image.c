/*
 * image.c: ELF images become tasks: their pages are the module's own. Of a
 * module that is started twice, pages that are written are copied.
 */
#include "servers/root/root.h"

#include "l4/elf.h"
#include "l4/sigma0.h"

#define PAGE 4096u
#define MODULES 0x10000000u /* where physical 0 would be seen */

static uint32_t next_copy = 0x60000000;

/* Sees the module's pages; each is asked for once. */
const char *module_show(const struct l4_module *module)
{
    uint32_t at = module->start;
    static uint32_t shown[L4_MODULES_MAX];
    const struct l4_boot *boot = (const void *)L4_BOOT_INFORMATION;
    uint32_t *done = &shown[module - boot->modules];

    for (; !*done && at < module->end; at += L4_PAGES_MAX * PAGE) {
        uint32_t left = (module->end - at + PAGE - 1) / PAGE;
        int32_t result = take_pages_at(
            at, MODULES + at, left < L4_PAGES_MAX ? left : L4_PAGES_MAX, 2);

        if (result)
            fail("module %s cannot be seen: error %d", module->name,
                 (uint32_t)result);
    }
    *done = 1;
    return (const char *)MODULES + module->start;
}

static void load_segment(const struct plan_task *plan, uint32_t task,
                         const char *file, const struct elf_segment *s)
{
    uint32_t at, length = plan->module->end - plan->module->start;
    uint32_t from = (uint32_t)file + s->offset, bits = 0;

    if (s->offset % PAGE || s->address % PAGE || s->file_size != s->memory_size)
        fail("module %s was not linked by the script of this system",
             plan->module->name, 0);
    if (s->offset > length || s->file_size > length - s->offset)
        fail("module %s is cut short", plan->module->name, 0);
    if (s->flags & ELF_WRITE)
        bits = L4_ITEM_WRITE;
    if (bits && plan->shared) {
        uint32_t pages = (s->file_size + PAGE - 1) / PAGE;

        if (take_pages(next_copy, pages))
            fail("task %s does not fit: no memory is left", plan->name, 0);
        memcpy((void *)next_copy, (const void *)from, s->file_size);
        from = next_copy;
        next_copy += pages * PAGE;
    }
    for (at = 0; at < s->file_size; at += L4_PAGES_MAX * PAGE) {
        uint32_t left = (s->file_size - at + PAGE - 1) / PAGE;

        if (l4_do(task, L4_TASK_MAP, (from + at) | bits, s->address + at,
                  left < L4_PAGES_MAX ? left : L4_PAGES_MAX))
            fail("task %s does not fit: %d KB of kernel memory are too few",
                 plan->name, plan->kilobytes);
    }
}

/* Programs end where the kernel puts what it shows them. */
static void check_places(const struct plan_task *plan,
                         const struct elf_segment *segments, uint32_t count)
{
    for (uint32_t n = 0; n < count; n++) {
        uint32_t from = segments[n].address, bytes = segments[n].memory_size;

        if (segments[n].type != ELF_LOAD || !bytes)
            continue;
        if (from >= L4_BOOT_INFORMATION || bytes > L4_BOOT_INFORMATION - from)
            fail("module %s has a segment where the kernel lies",
                 plan->module->name, 0);
        for (uint32_t k = 0; k < n; k++)
            if (segments[k].type == ELF_LOAD &&
                from < segments[k].address + segments[k].memory_size &&
                segments[k].address < from + bytes)
                fail("module %s has segments that overlap", plan->module->name,
                     0);
    }
}

/* Returns where it begins. */
uint32_t image_load(const struct plan_task *plan, uint32_t task)
{
    const char *file = module_show(plan->module);
    const struct elf_header *header = (const void *)file;
    uint32_t length = plan->module->end - plan->module->start;
    const struct elf_segment *segments;

    if (length < sizeof(*header) || header->magic != ELF_MAGIC ||
        header->segment_size != sizeof(*segments))
        fail("module %s is not an ELF image", plan->module->name, 0);
    if (header->segments > length ||
        header->segment_count * sizeof(*segments) > length - header->segments)
        fail("module %s is cut short", plan->module->name, 0);
    segments = (const void *)(file + header->segments);
    check_places(plan, segments, header->segment_count);
    for (uint32_t n = 0; n < header->segment_count; n++)
        if (segments[n].type == ELF_LOAD && segments[n].memory_size)
            load_segment(plan, task, file, &segments[n]);
    return header->entry;
}
