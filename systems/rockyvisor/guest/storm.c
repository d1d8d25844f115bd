/*
 * storm.c: all processors want the same pages at once, while each does what a
 * hypervisor could do wrong then: instructions of several pages, interrupts
 * off, and EFLAGS on a stack that others write.
 */
#include "guest/guest.h"

#define ROUNDS 30u
#define SPINS 10u
#define STATES 5u
#define WRITES 1000u
#define WORDS 5u
#define TF 0x100u
#define SCRATCH (COM1 + 7) /* a register that only keeps a byte */

static u8 memory[WORDS][PAGE] __attribute__((aligned(PAGE)));
static u8 shared_stack[PAGE] __attribute__((aligned(PAGE)));
static u8 copies[2][2 * PAGE] __attribute__((aligned(PAGE)));
static struct {
    volatile u32 word;
    u8 rest[PAGE - 4];
} arrived __attribute__((aligned(PAGE))), ball __attribute__((aligned(PAGE)));
static struct {
    volatile u32 state, missing, done;
    u8 rest[PAGE - 12];
} together __attribute__((aligned(PAGE)));
static volatile u32 wrong_flags, wrong_copies;
static u32 cycles_of_write;

/* All processors wait for each other, with interrupts on: the hypervisor must
 * notice that another core has stopped. */
static void meet(u32 *count)
{
    __asm__ volatile("sti");
    *count += processor_count;
    lock_increment(&arrived.word);
    while (arrived.word < *count)
        __asm__ volatile("pause");
}

/* One processor after the other has its turn while all others do nothing but
 * turn interrupts off, which traps for a moment only; each must see the ball
 * come by all the same. */
static void pass_the_ball(u32 number)
{
    for (u32 n = 0; n < SPINS; n++) {
        while (ball.word % processor_count != number)
            __asm__ volatile("cli\n\tcli\n\tcli\n\tcli");
        ball.word++;
    }
    __asm__ volatile("sti");
}

/* PUSHF to a page that the others write meanwhile. */
static void push_flags(u32 number)
{
    u32 flags, wrong = 0;

    for (u32 n = 0; n < ROUNDS; n++) {
        char *top = (char *)&shared_stack[256 * 4 + number * 16];

        *(volatile u32 *)&shared_stack[number * 16] = n;
        __asm__ volatile("xchg %1, %%esp\n\t"
                         "pushf\n\t"
                         "xchg %1, %%esp\n\t"
                         "mov (%1), %0"
                         : "=r"(flags), "+r"(top)
                         :
                         : "memory");
        wrong += (flags & TF) != 0;
    }
    if (wrong)
        lock_increment(&wrong_flags);
}

/* As Linux stops all processors: each waits for the next state, and the last one
 * that has seen it sets the one behind it. */
static void go_through_states(void)
{
    u32 seen = 0, now;

    while (seen < STATES) {
        __asm__ volatile("pause");
        now = together.state;
        if (now == seen)
            continue;
        seen = now;
        if (lock_add(&together.missing, -1u) != 1)
            continue;
        together.missing = processor_count;
        together.state++;
    }
}

/* One processor works on a page while all others look at a word of it, as they
 * look at what lies on a waiting one's stack. */
static void work_while_others_look(u32 number)
{
    u32 begin = cycles();

    if (number) {
        while (!together.done)
            __asm__ volatile("pause");
        return;
    }
    for (u32 n = 0; n < WRITES; n++)
        *(volatile u32 *)&together.rest[n % 64 * 4] = n;
    together.done = 1;
    cycles_of_write = (cycles() - begin) / WRITES;
}

/* LOCK INC of a word that lies in two pages. */
static void add_across_pages(void)
{
    for (u32 n = 0; n < ROUNDS; n++)
        for (u32 word = 1; word < WORDS; word++)
            lock_increment((volatile u32 *)&memory[word][-2]);
}

/* Moves across page ends, from pages that others read and write. */
static void copy_across_pages(u32 number)
{
    u32 own = 4 + number * 40, wrong = 0;

    for (u32 n = 1; n <= ROUNDS; n++) {
        u8 *from = &copies[n & 1][PAGE - own],
           *to = &copies[~n & 1][PAGE - own];
        u32 count = 2;

        *(volatile u32 *)from = n;
        *(volatile u32 *)(from + 4) = n * 3;
        __asm__ volatile("rep movsl"
                         : "+S"(from), "+D"(to), "+c"(count)
                         :
                         : "memory");
        wrong += *(volatile u32 *)(to - 8) != n;
        wrong += *(volatile u32 *)(to - 4) != n * 3;
    }
    if (wrong)
        lock_increment(&wrong_copies);
}

u32 storm(u32 number)
{
    u32 count = 0, lost = 0, sum, kept;

    if (number == processor_count - 1)
        out(SCRATCH, 0xA5);
    meet(&count);
    kept = in(SCRATCH);
    push_flags(number);
    meet(&count);
    pass_the_ball(number);
    if (number == 0) {
        together.missing = processor_count;
        together.state = 1;
    }
    go_through_states();
    meet(&count);
    work_while_others_look(number);
    meet(&count);
    add_across_pages();
    meet(&count);
    copy_across_pages(number);
    meet(&count);
    if (number)
        return 0;
    for (u32 word = 1; word < WORDS; word++) {
        sum = *(volatile u32 *)&memory[word][-2];
        lost += processor_count * ROUNDS - sum;
    }
    print_number("processors whose PUSHF shows TF: ", wrong_flags, "\n");
    print_number("additions lost: ", lost, "\n");
    print_number("processors with wrong copies: ", wrong_copies, "\n");
    print_number("cycles of a write while others look: ", cycles_of_write,
                 "\n");
    print_number("a register of COM1 that another has written: ", kept, "\n");
    return wrong_flags + lost + wrong_copies + (kept != 0xA5);
}
