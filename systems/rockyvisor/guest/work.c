/*
 * work.c: what many processors do, and nothing. All of them together add one to
 * each byte of an array whose chunks are dealt out in turn, or of pages of their
 * own; or all of them sleep, but for a tick, as an operating system does.
 */
#include "guest/guest.h"

#define BYTES 24576u
#define ROUNDS 4u
#define TICK (CYCLES_OF_A_MS * 10)

static u8 array[BYTES] __attribute__((aligned(PAGE)));
static u8 own[PROCESSORS_MAX][PAGE] __attribute__((aligned(PAGE)));
static struct {
    volatile u32 count;
    u8 rest[PAGE - 4];
} arrived __attribute__((aligned(PAGE)));

static void meet(u32 *count)
{
    *count += processor_count;
    lock_increment(&arrived.count);
    while (arrived.count < *count)
        __asm__ volatile("pause");
}

static void add_in_chunks(u32 number, u32 chunk)
{
    for (u32 at = number * chunk; at < BYTES; at += processor_count * chunk)
        for (u32 byte = at; byte < at + chunk; byte++)
            ((volatile u8 *)array)[byte]++;
}

static void add_to_own(u32 number)
{
    for (u32 n = 0; n < BYTES / processor_count; n++)
        ((volatile u8 *)own[number])[n % PAGE]++;
}

static u32 wrong_bytes(void)
{
    u32 wrong = 0;

    for (u32 n = 0; n < BYTES; n++)
        wrong += array[n] != ROUNDS;
    return wrong;
}

/* In chunks of so many bytes; 0: each has a page of its own. */
u32 bytes(u32 number, u32 chunk)
{
    u32 count = 0, begin;

    meet(&count);
    begin = cycles();
    for (u32 n = 0; n < ROUNDS; n++) {
        if (chunk)
            add_in_chunks(number, chunk);
        else
            add_to_own(number);
        meet(&count);
    }
    if (number)
        return 0;
    print_number("cycles, each byte increased: ", (cycles() - begin) / ROUNDS,
                 "\n");
    return chunk ? wrong_bytes() : 0;
}

/* The first processor ends the machine. */
u32 idle(u32 number, u32 ms)
{
    u64 end = time_stamp() + (u64)ms * CYCLES_OF_A_MS;

    while (number || time_stamp() < end) {
        timer(TICK);
        __asm__ volatile("safe_halt\n\tcli");
    }
    return 0;
}
