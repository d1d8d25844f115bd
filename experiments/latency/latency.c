/*
 * latency.c: core 0 measures single accesses in ring 0, as raw cycles of
 * `rdtsc; access; rdtsc` [barrelfish-tn005].
 *
 * A word of each tile's MPB (not in L1), a line of each tile's MPB through
 * the write-combine buffer, uncached words and lines of each controller's
 * shared DRAM. The own tile is reached with the bypass bit of its LUT entry
 * set, as it was when the published cells were measured.
 *
 * Each figure is taken many times, each after a pause of random length, as
 * the answer depends on the phase between the core's clock and the mesh's.
 * One line for each figure: its name, then all values in order.
 */
#include "../bare/bare.h"

#define SAMPLES 32
#define TILES 24
#define CONTROLLERS 4
#define OWN_MPB_SLOT 0xD8
#define LINE_WORDS 8
/* Of shared DRAM, 16 MB a controller: one page uncached, the next MPBT. */
#define PAGE 4096u

static uint32_t samples[SAMPLES];

/* The access stands between the two time stamps and nothing else does. */
static uint32_t time_nothing(uint32_t address)
{
    uint32_t cycles;
    __asm__ volatile("rdtsc\n\t"
                     "movl %%eax, %%esi\n\t"
                     "rdtsc\n\t"
                     "subl %%esi, %%eax"
                     : "=&a"(cycles)
                     : "r"(address)
                     : "edx", "esi", "memory", "cc");
    return cycles;
}

static uint32_t time_read(uint32_t address)
{
    uint32_t cycles;
    cl1invmb();
    __asm__ volatile("rdtsc\n\t"
                     "movl %%eax, %%esi\n\t"
                     "movl (%1), %%ecx\n\t"
                     "rdtsc\n\t"
                     "subl %%esi, %%eax"
                     : "=&a"(cycles)
                     : "r"(address)
                     : "ecx", "edx", "esi", "memory", "cc");
    return cycles;
}

static uint32_t time_write_line(uint32_t address)
{
    uint32_t cycles;
    cl1invmb();
    __asm__ volatile("rdtsc\n\t"
                     "movl %%eax, %%esi\n\t"
                     "movl %%esi, (%1)\n\t"
                     "movl %%esi, 4(%1)\n\t"
                     "movl %%esi, 8(%1)\n\t"
                     "movl %%esi, 12(%1)\n\t"
                     "movl %%esi, 16(%1)\n\t"
                     "movl %%esi, 20(%1)\n\t"
                     "movl %%esi, 24(%1)\n\t"
                     "movl %%esi, 28(%1)\n\t"
                     "rdtsc\n\t"
                     "subl %%esi, %%eax"
                     : "=&a"(cycles)
                     : "r"(address)
                     : "edx", "esi", "memory", "cc");
    return cycles;
}

static void sample(const char *name, uint32_t (*measure)(uint32_t),
                   uint32_t address)
{
    measure(address); /* brings code, stack and page tables near */
    for (int i = 0; i < SAMPLES; i++) {
        pause_random();
        samples[i] = measure(address);
    }
    say(name);
    say_list(samples, SAMPLES);
}

static void sample_tile(const char *name, uint32_t (*measure)(uint32_t),
                        uint32_t tile)
{
    uint32_t entry = SCC_CRB_OWN + SCC_LUT_LUT0(OWN_MPB_SLOT);
    uint32_t before = load(entry);

    say_number(tile);
    say(" ");
    if (tile != 0) {
        sample(name, measure, tile_base(SCC_MPB_BASE, tile));
        return;
    }
    store(entry, before | SCC_LUT_LUT0_BYPASS);
    sample(name, measure, SCC_MPB_OWN);
    store(entry, before);
}

static void sample_memory(uint32_t controller)
{
    uint32_t base = tile_base(SCC_SHARED_BASE, controller);

    say_number(controller);
    sample(" dram-read-word-uc", time_read, base);
    say_number(controller);
    sample(" dram-write-8words-uc", time_write_line, base);
    say_number(controller);
    sample(" dram-write-line-wcb", time_write_line, base + PAGE);
}

/* Reads a word of a line in all its four 8-byte places: shows what reads of
 * memory that is uncached and MPBT give. */
static void show_uncached_message_memory(void)
{
    uint32_t base = tile_base(SCC_MPB_BASE, 0) + PAGE, seen[LINE_WORDS];

    map(base, PAGE, MESSAGE);
    for (uint32_t i = 0; i < LINE_WORDS; i++)
        store(base + 4 * i, i + 1);
    map(base, PAGE, UNCACHED_MESSAGE);
    for (uint32_t i = 0; i < LINE_WORDS; i++)
        seen[i] = load(base + 4 * i);
    say("0 uc-mpbt");
    say_list(seen, LINE_WORDS);
}

int main(void)
{
    for (uint32_t tile = 0; tile < TILES; tile++)
        map(tile_base(SCC_MPB_BASE, tile), PAGE, MESSAGE);
    map(SCC_MPB_OWN, PAGE, MESSAGE);
    for (uint32_t controller = 0; controller < CONTROLLERS; controller++) {
        uint32_t base = tile_base(SCC_SHARED_BASE, controller);
        map(base, PAGE, UNCACHED);
        map(base + PAGE, PAGE, MESSAGE);
    }
    paging_on();
    sample("0 rdtsc", time_nothing, 0);
    for (uint32_t tile = 0; tile < TILES; tile++) {
        sample_tile("mpb-read", time_read, tile);
        sample_tile("mpb-write-line", time_write_line, tile);
    }
    for (uint32_t controller = 0; controller < CONTROLLERS; controller++)
        sample_memory(controller);
    show_uncached_message_memory();
    return 0;
}
