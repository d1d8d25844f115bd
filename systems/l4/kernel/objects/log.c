/*
 * log.c: lines on COM1, each whole and with the name of its log.
 */
#include "kernel/kernel.h"
#include "common/processor.h"
#include "scc/registers.h"

/* An access to a port crosses the mesh: some 1,500 cycles a byte. */
#define READ_AT_ONCE 8
#define WRITE_AT_ONCE 16

static u32 length(const char *text)
{
    u32 n = 0;

    while (text[n])
        n++;
    return n;
}

/* The log whose line is on its way to the port. */
static struct log *printing;

static char line_at(const struct log *log, u32 at)
{
    u32 name = length(log->name);

    if (at < name)
        return log->name[at];
    at -= name;
    if (at < 2)
        return ": "[at];
    return at - 2 < log->used ? log->line[at - 2] : '\n';
}

/* A few bytes of that line. Whoever invokes a log helps first, so a line stays
 * whole and nobody waits for the one who began it. */
static void print_some(void)
{
    struct log *log = printing;
    u32 end = length(log->name) + 2 + log->used + 1;

    for (u32 n = 0; n < WRITE_AT_ONCE && log->sent < end; n++) {
        char c = line_at(log, log->sent++);

        print_to(log->port, &c, 1);
    }
    if (log->sent == end) {
        log->used = log->sent = 0;
        printing = NULL;
    }
}

void log_free(struct log *log)
{
    if (printing == log)
        printing = NULL;
}

/* Bytes of lines; how many are taken stays in EDI. */
static s32 write_lines(struct thread *t, struct log *log)
{
    const char *text = (const char *)(t->utcb->words + 3);

    while (t->edi < t->ebx) {
        char c = text[t->edi++];

        if (c != '\n')
            log->line[log->used++] = c;
        if (c != '\n' && log->used < sizeof(log->line))
            continue;
        printing = log;
        return AGAIN;
    }
    return L4_OK;
}

/* A few bytes of what a serial port has, up to the end of a line. */
static s32 read(struct thread *t, const struct log *log)
{
    char *text = (char *)(t->utcb->words + 3);
    u32 count = 0;

    t->esi = 0;
    while (count < READ_AT_ONCE && (!count || text[count - 1] != '\n')) {
        if (!(in_byte(log->port + SCC_SERIAL_LSR) &
              SCC_SERIAL_LSR_DATA_READY)) {
            t->esi =
                !(in_byte(log->port + SCC_SERIAL_MSR) & SCC_SERIAL_MSR_DCD);
            break;
        }
        text[count++] = (char)in_byte(log->port + SCC_SERIAL_DATA);
    }
    t->ebx = count;
    return L4_OK;
}

/* Bytes as they are, a few at a time; how many are written stays in EDI. */
static s32 write(struct thread *t, const struct log *log)
{
    const char *text = (const char *)(t->utcb->words + 3);
    u32 some = t->ebx > t->edi ? t->ebx - t->edi : 0;

    some = some < WRITE_AT_ONCE ? some : WRITE_AT_ONCE;
    print_to(log->port, text + t->edi, some);
    t->edi += some;
    return t->edi < t->ebx ? AGAIN : L4_OK;
}

s32 log_invoke(struct thread *t, struct slot *slot, u32 operation)
{
    struct log *log = OBJECT(log, slot->object);

    if (operation == L4_LOG_READ && !log->name[0])
        return read(t, log);
    if (operation != L4_LOG_WRITE || t->ebx > (L4_WORDS_MAX - 3) * 4)
        return L4_BAD_ARGUMENT;
    if (printing) {
        print_some();
        return AGAIN;
    }
    return log->name[0] ? write_lines(t, log) : write(t, log);
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
