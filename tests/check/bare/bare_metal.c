/*
 * bare_metal.c: seeded bugs without an operating system. Cores 0 and 1 run
 * this kernel, each in its own memory; they wait for each other by words of
 * uncached shared memory. Lines as in ../seeds.h.
 */
#include "../../../experiments/bare/bare.h"

#ifdef MENDED
#define LEFT_OUT(statement) statement
#define MISTAKE(statement)
#else
#define LEFT_OUT(statement)
#define MISTAKE(statement) statement
#endif

#define PAGE 4096u
#define TURNS SCC_SHARED_BASE
#define CACHED (SCC_SHARED_BASE + 0x10000u)
#define PLAIN (SCC_SHARED_BASE + 0x20000u)
#define WAYS 0x10000u /* so far are the ways of L2 apart */

typedef volatile uint32_t word;

static word *buffer, *other;
static uint32_t me, step, sum;
static volatile uint32_t taken;

static void done(void)
{
    store(TURNS + 32 * me, ++step);
}

static void after_the_other(void)
{
    while (load(TURNS + 32 * (1 - me)) < step)
        ;
}

static void meet(void)
{
    done();
    after_the_other();
}

static void old_line(void)
{
    word *data = buffer;
    if (me == 1)
        sum += *data;
    meet();
    if (me == 0) {
        *data = 0x11;
        other[0] = 1;
    }
    meet();
    if (me == 1) {
        LEFT_OUT(cl1invmb();)
        sum += *data; /* finds: stale-read */
    }
    meet();
}

static void not_drained(void)
{
    word *data = buffer + 8;
    if (me == 0) {
        *data = 0x22; /* finds: stuck-write */
        LEFT_OUT(other[0] = 2;)
    }
    meet();
    if (me == 1) {
        cl1invmb();
        sum += *data;
    }
    meet();
    other[8 + 8 * me] = 2;
}

/* Displaces a line from L1D and L2. */
static void flush(word *line)
{
    for (uint32_t way = 1; way <= 12; way++)
        (void)load((uint32_t)line + way * WAYS);
}

static void not_flushed(void)
{
    word *data = (word *)CACHED;
    sum += *data;
    flush(data);
    meet();
    if (me == 0) {
        sum += *data;
        *data = 0x33; /* finds: stuck-write */
        LEFT_OUT(flush(data);)
    }
    meet();
    if (me == 1)
        sum += *data;
    meet();
}

static void read_too_early(void)
{
    word *data = (word *)PLAIN;
    if (me == 1) {
        LEFT_OUT(after_the_other(); step++; after_the_other(); step--;)
        sum += *data; /* finds: race */
    } else {
        for (volatile int n = 0; n < 1000; n++)
            ;
        *data = 0x44;
    }
    meet();
}

__attribute__((interrupt)) static void
on_pin(__attribute__((unused)) void *frame)
{
    uint32_t pin = SCC_CRB_OWN + SCC_CRB_GLCFG(1);
    store(pin, load(pin) & ~(uint32_t)SCC_CRB_GLCFG_INTR);
    store(SCC_APIC_BASE + 0xB0, 0);
    taken = 1;
}

static void interrupted_too_early(void)
{
    word *data = buffer + 16;
    uint32_t pin = SCC_CRB_OWN + SCC_CRB_GLCFG(1);
    if (me == 1)
        take_lint0((void (*)(void))on_pin);
    meet();
    if (me == 0) {
        *data = 0x55; /* finds: stuck-write */
        LEFT_OUT(other[0] = 5;)
        store(pin, load(pin) | SCC_CRB_GLCFG_INTR);
    } else {
        while (!taken)
            __asm__ volatile("sti\n\tnop\n\tcli" ::: "memory");
        cl1invmb();
        sum += *data;
    }
    meet();
    other[8 + 8 * me] = 5;
}

/* WBINVD first, so that INVD drops nothing else. */
static void dropped(void)
{
    word *data = (word *)CACHED + 64;
    if (me == 0) {
        __asm__ volatile("wbinvd" ::: "memory");
        (void)*data;
        *data = 0x66; /* finds: lost-write */
        MISTAKE(__asm__ volatile("invd" :: : "memory");)
        flush(data);
    }
    meet();
    if (me == 1)
        sum += *data;
    meet();
}

int main(void)
{
    map(SCC_MPB_BASE, 4 * PAGE, MESSAGE);
    map(TURNS, PAGE, UNCACHED);
    map(CACHED, 13 * WAYS, WRITE_BACK);
    map(PLAIN, PAGE, UNCACHED);
    paging_on();
    me = core_number();
    buffer = (word *)SCC_MPB_BASE;
    other = (word *)(SCC_MPB_BASE + PAGE);
    meet();
    old_line();
    not_drained();
    not_flushed();
    read_too_early();
    interrupted_too_early();
    dropped();
    say_number(sum);
    say("\n");
    return 0;
}
