/*
 * pins.c: two cores interrupt each other through the INTR bit of GLCFG, in
 * ring 0 [partheymueller-2011, barrelfish-tn005].
 *
 * The first core named on the command line pings, the other answers in its
 * handler. Both do the same between their first instruction of the handler
 * and the write of the other's pin, so half a round is the way from one
 * write (the time stamp before it) to the other handler's first instruction.
 * Nobody needs a common clock for that.
 *
 * Output of the pinging core: `round-trip` samples, `set` (cycles of reading
 * and writing the pin's register), `read` (of reading it alone), `stamp` (two
 * time stamps in a row); of the other core:
 * `handler` (cycles from the handler's first instruction until the program
 * goes on: pin low, EOI, return).
 *
 * Then the same as kernels do it: whoever changes the register takes the
 * core's test-and-set lock around it (barrelfish-driver does), and the
 * handler saves registers. `lock` and `guarded-handler` are their cycles.
 */
#include "../bare/bare.h"

#define SAMPLES 24
#define FLAG SCC_SHARED_BASE /* uncached word: what the other core may do */

extern uint32_t partner_pin, partner_set, own_pin, own_clear, own_lock;
extern void on_echo(void), on_plain(void), on_guarded(void);
extern uint32_t ping(void), sleep(void);

/* Values of the flag: the follower echoes, it has stopped, it waits for
 * interrupt n. */
enum { ECHOING = 1, STOP, WAITING };

static uint32_t samples[SAMPLES];
static uint32_t partner_lock;

static uint32_t pin_of(uint32_t core)
{
    return tile_base(SCC_CRB_BASE, core / 2) + SCC_CRB_GLCFG(core % 2);
}

static uint32_t lock_of(uint32_t core)
{
    return tile_base(SCC_CRB_BASE, core / 2) + SCC_CRB_LOCK(core % 2);
}

/* "first other" in decimal. */
static void read_cores(const uint32_t *info, uint32_t *cores)
{
    const char *text = (const char *)info[4];

    for (int i = 0; i < 2; i++) {
        cores[i] = 0;
        while (*text == ' ')
            text++;
        for (; *text >= '0' && *text <= '9'; text++)
            cores[i] = cores[i] * 10 + (uint32_t)(*text - '0');
    }
}

static void wait_for(uint32_t step)
{
    while (load(FLAG) != step)
        ;
}

static void tell(const char *name)
{
    say(name);
    say_list(samples, SAMPLES);
}

static uint32_t time_stamps(void)
{
    uint32_t start = time_stamp();
    return time_stamp() - start;
}

/* Other bits of the register are other pins: whoever sets one keeps them. */
static uint32_t time_set(void)
{
    uint32_t start = time_stamp();
    store(partner_pin, load(partner_pin) | SCC_CRB_GLCFG_INTR);
    return time_stamp() - start;
}

static void take(uint32_t lock)
{
    while (!(load(lock) & 1))
        ;
}

/* Sets the pin under the lock; the time until the lock is ours. */
static uint32_t time_lock(void)
{
    uint32_t start = time_stamp(), cycles;

    take(partner_lock);
    cycles = time_stamp() - start;
    store(partner_pin, load(partner_pin) | SCC_CRB_GLCFG_INTR);
    store(partner_lock, 0);
    return cycles;
}

static uint32_t time_read(void)
{
    uint32_t start = time_stamp();
    load(partner_pin);
    return time_stamp() - start;
}

static void sample(const char *name, uint32_t (*measure)(void))
{
    for (int i = -1; i < SAMPLES; i++) {
        uint32_t cycles;

        pause_random();
        cycles = measure();
        if (i >= 0)
            samples[i] = cycles;
    }
    tell(name);
}

/* The other core sleeps each time; `step` is its flag's first value. */
static void interrupt_sleeper(const char *name, uint32_t (*measure)(void),
                              uint32_t step)
{
    for (uint32_t i = 0; i <= SAMPLES; i++) {
        uint32_t cycles;

        wait_for(step + i);
        for (int n = 0; n < 20; n++)
            pause_random();
        cycles = measure();
        if (i > 0)
            samples[i - 1] = cycles;
    }
    tell(name);
}

static void sleep_for(const char *name, void (*handler)(void), uint32_t step)
{
    take_lint0(handler);
    for (uint32_t i = 0; i <= SAMPLES; i++) {
        uint32_t cycles;

        store(FLAG, step + i);
        cycles = sleep();
        if (i > 0)
            samples[i - 1] = cycles;
    }
    tell(name);
}

static void lead(void)
{
    take_lint0(on_plain);
    wait_for(ECHOING);
    for (int i = -1; i < SAMPLES; i++) {
        uint32_t cycles;

        pause_random();
        cycles = ping();
        if (i >= 0)
            samples[i] = cycles;
    }
    store(FLAG, STOP);
    ping(); /* so that it looks at the flag */
    tell("round-trip");
    interrupt_sleeper("set", time_set, WAITING);
    interrupt_sleeper("lock", time_lock, WAITING + SAMPLES + 1);
    sample("read", time_read);
    sample("stamp", time_stamps);
}

static void follow(void)
{
    take_lint0(on_echo);
    store(FLAG, ECHOING);
    while (load(FLAG) != STOP)
        __asm__ volatile("sti\n\thlt\n\tcli"
                         :
                         :
                         : "eax", "ecx", "edx", "memory", "cc");
    sleep_for("handler", on_plain, WAITING);
    sleep_for("guarded-handler", on_guarded, WAITING + SAMPLES + 1);
}

int main(uint32_t magic, const uint32_t *info)
{
    uint32_t cores[2], me, other;

    (void)magic;
    map(FLAG, 4096, UNCACHED);
    for (uint32_t tile = 0; tile < 24; tile++)
        map(tile_base(SCC_CRB_BASE, tile), 4096, UNCACHED);
    paging_on();
    read_cores(info, cores);
    me = core_number();
    other = cores[me == cores[0]];
    own_pin = pin_of(me);
    partner_pin = pin_of(other);
    own_lock = lock_of(me);
    partner_lock = lock_of(other);
    own_clear = load(own_pin) & ~(uint32_t)SCC_CRB_GLCFG_INTR;
    partner_set = load(partner_pin) | SCC_CRB_GLCFG_INTR;
    if (me == cores[0])
        lead();
    else
        follow();
    return 0;
}
