/*
 * console.c: the machine's one console, COM1 of the first core. Another core
 * gathers a line in memory that all cores see past their caches, and mails that
 * it is there: when the line is full or ends, when this core has nothing to do,
 * or after a while.
 */
#include "common/processor.h"
#include "emulate/emulate.h"
#include "scc/host_channel.h"

#define ROOM 252u
#define WHILE 533000u /* cycles: a millisecond */

/* Of each core. */
struct line {
    volatile u32 count;
    volatile u8 text[ROOM];
};

static struct line *lines; /* NULL until there are several cores */
static u32 held;           /* the own line's count */
static u32 since;          /* when its first character came */

void console_init(void)
{
    if (options.core_count == 1)
        return;
    lines = (struct line *)device_pages(common_lines(),
                                        CORES * sizeof(struct line));
    lines[core_index].count = 0;
}

/* To this core's own COM1. */
void console_print(u32 index)
{
    struct line *line = &lines[index];

    for (u32 n = 0; n < line->count && n < ROOM; n++)
        out_byte(SCC_SERIAL_COM1, line->text[n]);
    line->count = 0;
}

/* At the machine's end. A line that its own core mails just then is printed here
 * or there, but not twice. */
void console_print_all(void)
{
    for (u32 n = 0; n < options.core_count && lines; n++)
        console_print(n);
    held = 0;
}

void console_flush(void)
{
    if (!held)
        return;
    held = 0;
    mail_console();
}

/* On the way to the guest. */
void console_watch(void)
{
    if (held && (u32)read_tsc() - since > WHILE)
        console_flush();
}

void console_out(const u8 *bytes, u32 count)
{
    for (u32 n = 0; n < count; n++) {
        if (!core_index) {
            out_byte(SCC_SERIAL_COM1, bytes[n]);
            continue;
        }
        if (!held)
            since = (u32)read_tsc();
        lines[core_index].text[held++] = bytes[n];
        lines[core_index].count = held;
        if (held == ROOM)
            console_flush();
    }
    if (count && bytes[count - 1] == '\n')
        console_flush();
}
