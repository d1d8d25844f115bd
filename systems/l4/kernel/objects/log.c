/*
 * log.c: lines on COM1, each whole and with the name of its log.
 */
#include "kernel/kernel.h"
#include "kernel/x86.h"
#include "scc/registers.h"

static u32 length(const char *text)
{
    u32 n = 0;

    while (text[n])
        n++;
    return n;
}

static void put(struct log *log, char c)
{
    if (c != '\n')
        log->line[log->used++] = c;
    if (c != '\n' && log->used < sizeof(log->line))
        return;
    print_to(log->port, log->name, length(log->name));
    print_to(log->port, ": ", 2);
    print_to(log->port, log->line, log->used);
    print_to(log->port, "\n", 1);
    log->used = 0;
}

/* What a serial port has, up to the end of a line or of the message. */
static s32 read(struct thread *t, const struct log *log)
{
    char *text = (char *)(t->utcb->words + 3);
    u32 count = 0, most = (L4_WORDS_MAX - 3) * 4;
    bool ended = false;

    while (count < most && (!count || text[count - 1] != '\n')) {
        if (!(port_in(log->port + SCC_SERIAL_LSR) &
              SCC_SERIAL_LSR_DATA_READY)) {
            ended = !(port_in(log->port + SCC_SERIAL_MSR) & SCC_SERIAL_MSR_DCD);
            break;
        }
        text[count++] = (char)port_in(log->port + SCC_SERIAL_DATA);
    }
    t->ebx = count;
    t->esi = ended;
    return L4_OK;
}

s32 log_invoke(struct thread *t, struct slot *slot, u32 operation)
{
    struct log *log = OBJECT(log, slot->object);
    const char *text = (const char *)(t->utcb->words + 3);

    if (operation == L4_LOG_READ && !log->name[0])
        return read(t, log);
    if (operation != L4_LOG_WRITE || t->ebx > (L4_WORDS_MAX - 3) * 4)
        return L4_BAD_ARGUMENT;
    if (!log->name[0])
        print_to(log->port, text, t->ebx);
    else
        for (u32 n = 0; n < t->ebx; n++)
            put(log, text[n]);
    return L4_OK;
}

/* Only who has this object ends the core; a factory makes none. */
s32 core_invoke(struct thread *t, u32 operation)
{
    if (operation == L4_CORE_END)
        core_end(t->ebx);
    if (operation == L4_CORE_SIGNAL)
        core_end_by_signal(t->ebx, t->esi, t->edi);
    if (operation == L4_CORE_FLUSH) {
        __asm__ volatile("wbinvd" : : : "memory");
        return L4_OK;
    }
    return L4_BAD_ARGUMENT;
}
