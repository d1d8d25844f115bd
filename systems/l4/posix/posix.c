/*
 * posix.c: one program of i386 Linux as a task: its INT 80h, its page faults
 * and its exceptions are messages to this server, which is its pager.
 *
 * The program is the last module.
 */
#include "posix/posix.h"

#define PRIORITY 10
#define SLICE_US 10000
#define LINUX_CALL 0x80

enum { SIGILL = 4, SIGTRAP = 5, SIGFPE = 8, SIGSEGV = 11 };

static const struct l4_boot *boot = (const void *)L4_BOOT_INFORMATION;

void print_error(const char *text)
{
    uint32_t n = 0;
    char *to = (char *)(l4_utcb()->words + 3);

    for (; text[n] && n < (L4_WORDS_MAX - 3) * 4; n++)
        to[n] = text[n];
    l4_do(SLOT_ERROR, L4_LOG_WRITE, n, 0, 0);
}

void print_error_number(uint32_t value, uint32_t base)
{
    char text[12];
    int at = sizeof(text) - 1;

    text[at] = 0;
    do {
        text[--at] = "0123456789abcdef"[value % base];
        value /= base;
    } while (value);
    print_error(text + at);
}

void die(const char *why, uint32_t address, uint32_t code)
{
    print_error("l4: posix: ");
    print_error(why);
    print_error(": ");
    print_error_number(address, 16);
    print_error("\n");
    halt(code);
}

static void must(const char *what, int32_t result)
{
    if (result)
        die(what, (uint32_t)result, 1);
}

static void make_port(uint32_t slot, uint32_t port)
{
    struct l4_message m = {
        L4_TAG(L4_FACTORY_CREATE, 7), {L4_KIND_LOG, slot, 0}, 0};

    memset(l4_utcb()->words + 3, 0, 12);
    l4_utcb()->words[6] = port;
    l4_invoke(L4_SLOT_FACTORY, L4_CALL | L4_FOREVER, &m);
}

static void make_task(void)
{
    must("no task",
         l4_create(L4_SLOT_FACTORY, L4_KIND_TASK, SLOT_PROGRAM, 0, 0));
    must("no thread", l4_create(L4_SLOT_FACTORY, L4_KIND_THREAD, SLOT_RUNS,
                                SLOT_PROGRAM, L4_ROOT_UTCB));
    must("no gate", l4_create(L4_SLOT_FACTORY, L4_KIND_GATE, SLOT_GATE,
                              L4_SLOT_THREAD, 0));
    must("no context", l4_create(L4_SLOT_FACTORY, L4_KIND_CONTEXT, SLOT_CONTEXT,
                                 PRIORITY, SLICE_US));
    must("no priority",
         l4_do(SLOT_RUNS, L4_THREAD_CONTEXT, SLOT_CONTEXT, 0, 0));
    must("no pager", l4_do(SLOT_RUNS, L4_THREAD_PAGER, SLOT_GATE, 0, 0));
}

/* The host prints what happened, as for a program of any kernel. */
static void end_by_signal(uint32_t number, uint32_t eip, uint32_t address)
{
    l4_do(L4_SLOT_CORE, L4_CORE_SIGNAL, number, eip, address);
}

static void page_fault(struct l4_message *m)
{
    uint32_t address = m->words[0] & ~(uint32_t)L4_ITEM_WRITE;
    uint8_t *page =
        memory_at(address & -PAGE, (m->words[0] & L4_ITEM_WRITE) != 0);

    if (!page)
        end_by_signal(SIGSEGV, m->words[1], address);
    l4_utcb()->items[0] =
        (uint32_t)page | (memory_write_allowed(address) ? L4_ITEM_WRITE : 0);
    l4_utcb()->items[1] = 1;
    m->tag = L4_TAG(0, 0) | L4_TAG_ITEMS(1);
}

static void exception(struct l4_message *m)
{
    uint32_t vector = m->words[0], signal = SIGSEGV;
    struct registers r;

    memcpy(&r, l4_utcb()->words + 3, sizeof(r));
    if (vector == LINUX_CALL) {
        m->words[0] = (uint32_t)system_call(&r);
        m->tag = L4_TAG(0, 1);
        return;
    }
    if (vector == 0 || vector == 16)
        signal = SIGFPE;
    else if (vector == 1 || vector == 3)
        signal = SIGTRAP;
    else if (vector == 6)
        signal = SIGILL;
    end_by_signal(signal, r.eip, r.eip);
}

static void serve(void)
{
    struct l4_message m;
    int32_t result = l4_invoke(0, L4_RECEIVE | L4_FOREVER, &m);

    for (;;) {
        if (result == L4_OK && m.tag >> L4_LABEL_SHIFT == L4_FAULT_PAGE)
            page_fault(&m);
        else if (result == L4_OK)
            exception(&m);
        result = l4_invoke(0, L4_REPLY_WAIT | L4_FOREVER, &m);
    }
}

int main(void)
{
    const struct l4_module *program = &boot->modules[boot->module_count - 1];
    struct elf_header header;
    uint32_t headers_user = 0, stack;

    make_port(SLOT_OUT, L4_LOG_PORT1);
    make_port(SLOT_ERROR, L4_LOG_PORT2);
    command_line_read();
    make_task();
    boundary_set(image_load(program, &header, &headers_user));
    stack = stack_make(&header, headers_user);
    must("no start", l4_do(SLOT_RUNS, L4_THREAD_START, header.entry, stack, 0));
    serve();
    return 0;
}
