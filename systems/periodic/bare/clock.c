/*
 * clock.c: message lines, and a common time from round trips to core 0.
 *
 * Core 0 answers each asking core in turn with its time stamp. The asking core
 * takes the answer to have been half of the round trip on its way, as
 * published [marc-2011, deterministic execution, section V-A].
 */
#include "periodic.h"

enum { ASK = 1, ANSWER, START, READY };
enum { FAR = 2000 }; /* cycles; more than pass_time takes */

uint32_t me, words[4], offset_cycles;

uint32_t buffer_of(uint32_t core, uint32_t offset)
{
    return tile_base(SCC_MPB_BASE, core / 2) +
           core % 2 * SCC_MPB_SIZE_PER_CORE + offset;
}

void put_line(uint32_t address, const uint32_t *line)
{
    for (uint32_t i = 0; i < LINE / 4; i++)
        store(address + 4 * i, line[i]);
}

void get_line(uint32_t address, uint32_t *line)
{
    cl1invmb();
    for (uint32_t i = 0; i < LINE / 4; i++)
        line[i] = load(address + 4 * i);
}

static void read_words(const char *text)
{
    for (int i = 0; i < 4; i++) {
        while (*text && (*text < '0' || *text > '9'))
            text++;
        for (words[i] = 0; *text >= '0' && *text <= '9'; text++)
            words[i] = words[i] * 10 + (uint32_t)(*text - '0');
    }
}

void begin(const uint32_t *info)
{
    static const uint32_t empty[LINE / 4];

    paging_on();
    for (uint32_t tile = 0; tile < CORES / 2; tile++)
        map(tile_base(SCC_MPB_BASE, tile), 2 * SCC_MPB_SIZE_PER_CORE, MESSAGE);
    me = core_number();
    read_words((const char *)info[4]);
    for (uint32_t at = 0; at < SCC_MPB_SIZE_PER_CORE; at += LINE)
        put_line(buffer_of(me, at), empty);
}

static void send(uint32_t core, uint32_t kind, uint32_t number, uint32_t value)
{
    uint32_t line[LINE / 4] = {kind, number, value};

    put_line(buffer_of(core, me * LINE), line);
}

static int came(uint32_t core, uint32_t kind, uint32_t number, uint32_t *value)
{
    uint32_t line[LINE / 4];

    get_line(buffer_of(me, core * LINE), line);
    *value = line[2];
    return line[0] == kind && line[1] == number;
}

/* Core 0, until all others are ready. */
static void answer_all(void)
{
    static uint32_t answered[CORES];
    uint32_t ready = 0, unused;

    while (ready < CORES - 1)
        for (uint32_t core = 1; core < CORES; core++) {
            if (came(core, READY, 1, &unused) && answered[core] != ~0u) {
                answered[core] = ~0u;
                ready++;
            }
            if (answered[core] != ~0u &&
                came(core, ASK, answered[core] + 1, &unused))
                send(core, ANSWER, ++answered[core], time_stamp());
        }
}

uint32_t compare_clocks(uint32_t rounds)
{
    uint32_t shortest = ~0u;

    offset_cycles = 0;
    if (me == 0) {
        answer_all();
        return 0;
    }
    for (uint32_t round = 1; round <= rounds; round++) {
        uint32_t start, masters, end;

        /* So that rounds do not keep step with core 0's turns. */
        if (round > 1)
            wait_until(global_time() + random_below(8192));
        start = time_stamp();
        send(0, ASK, round, 0);
        while (!came(0, ANSWER, round, &masters))
            ;
        end = time_stamp();
        if (end - start < shortest) {
            shortest = end - start;
            offset_cycles = masters + shortest / 2 - end;
        }
    }
    send(0, READY, 1, 0);
    return shortest;
}

uint32_t common_start(void)
{
    uint32_t instant = time_stamp() + 200 * MHZ;

    if (me == 0)
        for (uint32_t core = 1; core < CORES; core++)
            send(core, START, 1, instant);
    else
        while (!came(0, START, 1, &instant))
            ;
    return instant;
}

/* Eight divisions of 41 cycles: who waits long looks at the time seldom, which
 * saves most of the instructions that a simulated wait costs. */
static void pass_time(void)
{
    uint32_t low = 0, high = 0;

    for (int i = 0; i < 8; i++)
        __asm__ volatile("divl %2" : "+a"(low), "+d"(high) : "r"(1u));
}

int wait_until(uint32_t instant)
{
    int early = 0;

    while ((int32_t)(global_time() - instant) < -FAR) {
        pass_time();
        early = 1;
    }
    while ((int32_t)(global_time() - instant) < 0)
        early = 1;
    return early;
}
