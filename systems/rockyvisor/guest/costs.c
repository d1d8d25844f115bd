/*
 * costs.c: what the hypervisor's work costs, in cycles, seen from the guest:
 * the first processor does and the second one obeys.
 */
#include "guest/guest.h"

#define ROUNDS 32u
#define WARM 8u            /* rounds before those that count */
#define REPEATS 1000u      /* of an instruction */
#define KEPT 10000u        /* cycles, about */
#define WINDOW 0x50000000u /* where pages are seen that are mapped anew */

enum { NOTHING, WRITE, READ, WRITE_FIRST };

static u8 pages[ROUNDS][PAGE] __attribute__((aligned(PAGE)));
static u8 fresh[ROUNDS][PAGE] __attribute__((aligned(PAGE)));
static struct {
    volatile u32 number, kind;
    u8 rest[PAGE - 8];
} order __attribute__((aligned(PAGE)));
static struct {
    volatile u32 number, cost;
    u8 rest[PAGE - 8];
} answer __attribute__((aligned(PAGE)));

static void touch(u32 kind, u32 round)
{
    volatile u32 *word = (volatile u32 *)pages[round];

    if (kind == WRITE)
        *word = round;
    else if (kind == READ)
        (void)*word;
    else
        *(volatile u32 *)fresh[round] = round;
}

/* The second processor, for ever. */
static void obey(void)
{
    for (u32 number = 1;; number++) {
        u32 kind, begin;

        wait_for(&order.number, number);
        kind = order.kind;
        begin = cycles();
        touch(kind, number % ROUNDS);
        answer.cost = cycles() - begin;
        answer.number = number;
    }
}

/* Who writes a page keeps it for a while. */
void leave_alone(void)
{
    u32 begin = cycles();

    while (cycles() - begin < KEPT)
        ;
}

/* The other one touches a page in a way, then this one in another: cycles. */
static void after_the_other(const char *what, u32 first, u32 then)
{
    u32 sum = 0, begin;

    for (u32 n = 0; n < ROUNDS; n++) {
        u32 number = order.number + 1;

        if (first != NOTHING) {
            order.kind = first;
            order.number = number;
            wait_for(&answer.number, number);
            leave_alone();
        }
        begin = cycles();
        if (then == NOTHING)
            begin -= answer.cost;
        else
            touch(then, first == NOTHING ? n : number % ROUNDS);
        if (n >= WARM)
            sum += cycles() - begin;
    }
    print("cycles, ");
    print(what);
    print_number(": ", sum / (ROUNDS - WARM), "\n");
}

/* A page that this core has, in tables that do not show it yet. */
static void hidden_fault(void)
{
    volatile u32 *word = (volatile u32 *)WINDOW;
    u32 sum = 0, begin;

    for (u32 n = 0; n < ROUNDS; n++) {
        map(WINDOW, (u32)pages[n], 3);
        begin = cycles();
        (void)*word;
        if (n >= WARM)
            sum += cycles() - begin;
    }
    print_number("cycles, hidden page fault: ", sum / (ROUNDS - WARM), "\n");
}

/* Time stamps of cores that left reset together are equal. */
static void interrupt_another(void)
{
    struct processor *p = &processors[1];
    u32 sum = 0, begin;

    for (u32 n = 0; n < ROUNDS; n++) {
        u32 calls = p->calls;

        begin = cycles();
        send(1, VECTOR_CALL);
        wait_for(&p->calls, calls + 1);
        if (n >= WARM)
            sum += p->call_time - begin;
    }
    print_number("cycles, interrupt to another processor: ",
                 sum / (ROUNDS - WARM), "\n");
}

static void tell_each(const char *what, u32 sum)
{
    print("cycles, ");
    print(what);
    print_number(": ", sum / REPEATS, "\n");
}

/* The instruction stands in the loop, since a call of a function would take as long. */
#define COST_OF(what, instruction)                     \
    do {                                               \
        u32 begin = cycles();                          \
                                                       \
        for (u32 n = 0; n < REPEATS; n++)              \
            __asm__ volatile(instruction::: "memory"); \
        tell_each(what, cycles() - begin);             \
    } while (0)

static void costs_of_instructions(void)
{
    COST_OF("CLI", "cli");
    COST_OF("STI", "sti");
    __asm__ volatile("cli");
    COST_OF("POPF", "push $2\n\tpopf");
}

static void costs_of_first(void)
{
    costs_of_instructions();
    after_the_other("first touch of a page", NOTHING, WRITE);
    hidden_fault();
    if (processor_count < 2)
        return;
    after_the_other("write to a page that is private to another", WRITE_FIRST,
                    NOTHING);
    after_the_other("write to another's page", WRITE, WRITE);
    after_the_other("read of another's page", WRITE, READ);
    after_the_other("write to a page with one reader", READ, WRITE);
    interrupt_another();
}

u32 costs(u32 number)
{
    if (number == 0)
        costs_of_first();
    else if (number == 1)
        obey();
    return 0;
}
