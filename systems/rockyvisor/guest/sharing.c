/*
 * sharing.c: what it costs to write a page that many processors have read, and
 * to hand a lock from one processor to another.
 */
#include "guest/guest.h"

#define ROUNDS 16u
#define WARM 4u      /* rounds before those that count */
#define HANDED 1000u /* times, of the lock */
#define END 0xFFFFu  /* in place of a number of readers */

static u8 pages[ROUNDS][PAGE] __attribute__((aligned(PAGE)));
static struct {
    volatile u32 number, readers;
    u8 rest[PAGE - 8];
} told __attribute__((aligned(PAGE)));
static struct {
    volatile u32 count;
    u8 rest[PAGE - 4];
} obeyed __attribute__((aligned(PAGE)));
static struct {
    volatile u32 turn, data;
    u8 rest[PAGE - 8];
} lock __attribute__((aligned(PAGE)));

/* Processors 1 to `readers` read the page of each round. */
static void read_as_told(u32 number)
{
    for (u32 n = 1;; n++) {
        u32 readers;

        wait_for(&told.number, n);
        readers = told.readers;
        if (readers == END)
            return;
        if (number <= readers)
            (void)*(volatile u32 *)pages[n % ROUNDS];
        lock_increment(&obeyed.count);
    }
}

static void tell(u32 readers)
{
    told.readers = readers;
    told.number++;
    if (readers != END)
        wait_for(&obeyed.count, told.number * (processor_count - 1));
}

static void write_after(u32 readers)
{
    u32 sum = 0, begin;

    for (u32 n = 0; n < ROUNDS; n++) {
        tell(readers);
        leave_alone();
        begin = cycles();
        *(volatile u32 *)pages[told.number % ROUNDS] = n;
        if (n >= WARM)
            sum += cycles() - begin;
    }
    print_number("cycles, write to a page with ", readers, " readers");
    print_number(": ", sum / (ROUNDS - WARM), "\n");
}

/* Two take it in turn, and change a word beside it. */
static void hand_over(u32 number)
{
    u32 begin = cycles();

    for (u32 n = 0; n < HANDED; n++) {
        while (lock.turn % 2 != number)
            __asm__ volatile("pause");
        lock.data++;
        lock.turn++;
    }
    if (number == 0)
        print_number("cycles, a lock handed over: ",
                     (cycles() - begin) / HANDED / 2, "\n");
}

u32 sharing_costs(u32 number)
{
    static const u32 readers[] = {1, 8, 47};

    if (number) {
        read_as_told(number);
    } else {
        for (u32 n = 0; n < sizeof(readers) / sizeof(*readers); n++)
            if (readers[n] < processor_count)
                write_after(readers[n]);
        tell(END);
    }
    if (number < 2 && processor_count > 1)
        hand_over(number);
    return 0;
}
