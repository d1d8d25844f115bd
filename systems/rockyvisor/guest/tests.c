/* tests.c: what the guest tries, each with a line on the serial port. */
#include "common/local_apic.h"
#include "guest/guest.h"

#define IF 0x200u
#define USER_STACK 0x40001000u
#define USER_TEXT 0x40000000u
#define ABSENT 0x50000000u
#define LOCAL 0x7000u /* where the local table of a reset would have it */
#define ROUNDS 10000u
#define COMMAND_LINE 16u /* of what the boot loader left */

extern const char probe_at[], probe_failed[], user_program[], user_begin[];
extern const char leave_user[], probe_segment_end[];
static volatile u32 counter, done;
static u32 user_stacks[PROCESSORS_MAX];
static u8 user_memory[PAGE] __attribute__((aligned(PAGE)));
static u32 failures;
static char mode; /* what to do: the first letter */
static u32 given; /* the number behind it, or 0 */

u32 *user_stack(void)
{
    return &user_stacks[own_number()];
}

static void system_call(struct frame *f)
{
    struct processor *p = &processors[own_number()];

    p->from_user++;
    if (f->eax == 1) {
        f->eax = own_number();
        return;
    }
    p->user_sum = f->ebx;
    ((void (*)(u32))leave_user)(user_stacks[own_number()]);
}

/* All of the guest's vectors lead here. */
void interrupt(struct frame *f)
{
    u32 now = cycles();
    struct processor *p = &processors[own_number()];

    if (mode == 'r') {
        random_next(f);
        return;
    }
    if (returns_fault(f))
        return;
    if (f->eip >= (u32)probe_segment && f->eip < (u32)probe_segment_end) {
        f->eip = (u32)probe_failed;
        return;
    }
    switch (f->vector) {
    case 14:
        p->faults++;
        if (f->eip == (u32)probe_at) {
            f->eip = (u32)probe_failed;
            return;
        }
        break;
    case VECTOR_TIMER:
        if (mode != 'i') /* else no page is written */
            p->ticks++;
        apic_write(APIC_END_OF_INTERRUPT, 0);
        return;
    case VECTOR_CALL:
        p->call_time = now;
        p->calls++;
        apic_write(APIC_END_OF_INTERRUPT, 0);
        return;
    case VECTOR_SYSTEM:
        system_call(f);
        return;
    }
    print_number("exception ", f->vector, "");
    print_number(" at ", f->eip, "\n");
    exit_machine(3);
}

void check(const char *what, bool holds)
{
    print(holds ? "ok " : "FAILED ");
    print(what);
    print("\n");
    failures += !holds;
}

static void test_flags(void)
{
    u32 before = flags(), after;

    __asm__ volatile("sti");
    check("STI, and PUSHF shows it", flags() & IF);
    __asm__ volatile("cli");
    check("CLI, and PUSHF shows it", !(flags() & IF));
    set_flags(before | IF);
    after = flags();
    __asm__ volatile("cli");
    check("POPF sets IF", after & IF);
}

static void test_timer(void)
{
    struct processor *p = &processors[own_number()];

    p->ticks = 0;
    timer(20000);
    __asm__ volatile("safe_halt\n\tcli");
    check("the timer ends HLT", p->ticks == 1);
    timer(1000);
    for (u32 begin = cycles(); cycles() - begin < 50000;)
        ;
    check("no interrupt with IF off", p->ticks == 1);
    __asm__ volatile("sti\n\tnop\n\tcli");
    check("it comes when IF is on", p->ticks == 2);
}

static void test_pages(void)
{
    check("a page that is absent faults", probe(ABSENT) == 1);
    map(ABSENT - PAGE, (u32)user_memory, 3);
    check("a page that is mapped does not", probe(ABSENT - PAGE) == 0);
    user_memory[5] = 7;
    check("both addresses show its byte", *(u8 *)(ABSENT - PAGE + 5) == 7);
    map(ABSENT - PAGE, 0, 0);
    check("nor is it there when it is unmapped", probe(ABSENT - PAGE) == 1);
}

/* Segments that lead to the end of the addresses, which is not the guest's. */
static void test_segments(void)
{
    static const struct {
        const char *what;
        u32 low, high, offset;
    } kinds[] = {
        {"a segment of this memory can be read", 0xFFFF, 0x00CF9200, 0x8000},
        {"one that begins beyond it cannot", 0xFFFF, 0xF8CF9210, 0},
        {"nor one that reaches there", 0xF000FFFF, 0xF74F92FF, 0x1000},
        {"nor one that goes round", 0xFFFF, 0x70CF9200, 0x88100000},
        {"nor one that expands down", 0, 0x00C09600, 0xF8100000},
    };
    volatile u32 *local = (volatile u32 *)LOCAL;
    u32 last = GDT_ENTRIES - 1;

    for (u32 n = 0; n < sizeof(kinds) / sizeof(*kinds); n++) {
        gdt[last][0] = kinds[n].low;
        gdt[last][1] = kinds[n].high;
        load_gdt();
        check(kinds[n].what,
              probe_segment(last * 8, kinds[n].offset) == (n > 0));
    }
    gdt[last][0] = gdt[last][1] = 0;
    load_gdt();
    local[0] = 0xFFFF;
    local[1] = 0x00CFB200;
    check("nor is there a local table", probe_segment(LOCAL | 4, 0x8000) == 1);
}

static void test_user(void)
{
    struct processor *p = &processors[own_number()];

    map(USER_TEXT, (u32)user_begin, 5);
    map(USER_STACK, (u32)user_memory, 7);
    enter_user(USER_TEXT + (u32)(user_program - user_begin), USER_STACK + PAGE);
    check("a program in ring 3 calls 11 times", p->from_user == 11);
    check("its sum is 55", p->user_sum == 55);
}

static void test_self_interrupt(void)
{
    struct processor *p = &processors[own_number()];

    send(own_number(), VECTOR_CALL);
    check("no own interrupt with IF off", p->calls == 0);
    __asm__ volatile("sti\n\tnop\n\tcli");
    check("an own interrupt", p->calls == 1);
}

/* All processors add to one word by LOCK INC. */
static void add(void)
{
    for (u32 n = 0; n < ROUNDS; n++)
        lock_increment(&counter);
    lock_increment(&done);
}

static void test_lock(void)
{
    go = 1;
    add();
    __asm__ volatile("cli");
    wait_closed(&done, processor_count);
    print_number("", processor_count, " processors, ");
    print_number("", counter, " additions by LOCK INC\n");
    check("none is lost", counter == processor_count * ROUNDS);
}

static void basic_tests(void)
{
    test_flags();
    test_pages();
    test_timer();
    test_self_interrupt();
    test_segments();
    test_returns();
    test_user();
}

/* No processor will ever do anything again. */
static void sleep_for_ever(void)
{
    for (;;)
        __asm__ volatile("cli\n\thlt");
}

/* The number at the end of the command line, or 0. */
static u32 number_of(const char *text)
{
    u32 value = 0;

    for (; *text; text++)
        if (*text >= '0' && *text <= '9')
            value = value * 10 + (u32)(*text - '0');
    return value;
}

/* One processor's part of what the command line asks for. */
static u32 try_once(u32 number)
{
    switch (mode) {
    case 'b':
        return bytes(number, given);
    case 'c':
        return costs(number);
    case 'i':
        return idle(number, given);
    case 'l':
        return litmus(number, given);
    case 'p':
        return one_lock(number, given);
    case 'r':
        random_start(number, given);
    case 's':
        return storm(number);
    case 't':
        return text(number, given);
    case 'w':
        return sharing_costs(number);
    default:
        return 0;
    }
}

/* The command line: `bytes CHUNK`, `costs`, `halt`, `idle MS`, `litmus ROUNDS`,
 * `pages MS`, `random SEED`, `storm`, `text ROUNDS`, `with others` (sharing.c), or
 * nothing for the tests. */
void guest_main(u32 information)
{
    const char *words = *(const char *const *)(information + COMMAND_LINE);

    mode = words[0];
    given = number_of(words);
    pages_init();
    tables_load(0);
    processors[0].up = 1;
    count_processors();
    if (!mode) {
        print("guest: ring 0, it believes\n");
        basic_tests();
    }
    start_processors();
    if (mode == 'h')
        sleep_for_ever();
    if (mode)
        failures = try_once(0);
    else
        test_lock();
    exit_machine(failures ? 1 : 0);
}

void other_main(u32 number)
{
    tables_load(number);
    processors[number].up = 1;
    if (mode) {
        try_once(number);
    } else {
        wait_for(&go, 1);
        print_number("processor ", number, " adds, as all others do\n");
        add();
    }
    for (;;)
        __asm__ volatile("safe_halt");
}
