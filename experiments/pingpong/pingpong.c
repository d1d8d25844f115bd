/*
 * pingpong.c: two cores exchange messages through the message-passing
 * buffers, with the protocol of partheymueller-2011, sections 3.2.2-3.2.3.
 *
 * Core 0 answers; the other core starts every round and measures it. A
 * message is announced by an 8-byte header (tile, core, size) that the
 * receiver polls in its own MPB:
 *   push  header and data go to the receiver's MPB; the first line, which
 *         holds the header, is written last
 *   pull  the data stay in the sender's MPB, only a header line goes to the
 *         receiver, who fetches the data
 * While no message is there the header holds values no message can have.
 * Only whole lines are written: the write-combine buffer drains when it is
 * full, and filling it is cheaper than pushing it out.
 *
 * Differs from the thesis: core 0 acknowledges a 4 KB packet by a message
 * of one line (the thesis does not say how the sender learns that the MPB
 * is free), and a pseudo-random pause before each round keeps the two
 * polling loops from locking in phase with each other.
 *
 * Output of the measuring core, one line per measurement:
 *   mode bytes rounds sum-of-cycles shortest longest
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>

#define LINE 32
#define LINE_WORDS 8
#define HALF 8192
#define PACKET 4096
#define ROUNDS 400
/* Where a sender keeps the data of a pull message, in its half. */
#define PULL_DATA LINE

/* Core-physical addresses of the default LUT (intel-eas). */
#define MPB_BASE 0xC0000000u
#define OWN_CRB 0xF8000000u
#define CRB_TILEID 0x100

enum mode { PUSH, PULL };
static const char *const mode_name[] = {"push", "pull"};

/* A header as two words: tile and core in the first, size in the second.
 * No tile has route 0x36, no tile has a core 2, no message has 5 bytes. */
struct header {
    uint32_t tile, core, size;
};
#define NO_TILE 0x36
#define NO_CORE 2
#define NO_SIZE 5

typedef volatile uint32_t mpb_word;
static mpb_word *own, *other;
static struct header self;

static inline uint64_t rdtsc(void)
{
    uint32_t low, high;
    __asm__ volatile("rdtsc" : "=a"(low), "=d"(high) : : "memory");
    return (uint64_t)high << 32 | low;
}

/* Drops L1's copies of MPB lines, so that the next read sees the MPB. */
static inline void cl1invmb(void)
{
    __asm__ volatile(".byte 0x0f, 0x0a" : : : "memory");
}

static inline void write_line(mpb_word *line, uint32_t w0, uint32_t w1,
                              uint32_t fill)
{
    line[0] = w0;
    line[1] = w1;
    for (int i = 2; i < LINE_WORDS; i++)
        line[i] = fill;
}

static inline void write_header(mpb_word *line, struct header h, uint32_t fill)
{
    write_line(line, h.tile | h.core << 16, h.size, fill);
}

static void set_invalid(void)
{
    static const struct header none = {NO_TILE, NO_CORE, NO_SIZE};
    write_header(own, none, 0);
}

/* Polls a header until all three values are those of a message (`message`
 * true) or of none. */
static inline struct header poll_header(mpb_word *line, int message)
{
    struct header h;
    int all_valid, all_invalid;

    do {
        /* L1 would show the header as it was at the first look. */
        cl1invmb();
        uint32_t w0 = line[0];
        h = (struct header){w0 & 0xFFFF, w0 >> 16, line[1]};
        all_valid = h.tile != NO_TILE && h.core != NO_CORE && h.size != NO_SIZE;
        all_invalid =
            h.tile == NO_TILE && h.core == NO_CORE && h.size == NO_SIZE;
    } while (message ? !all_valid : !all_invalid);
    return h;
}

/* Writes data lines; `seed` makes every message different. */
static inline void write_data(mpb_word *to, int lines, uint32_t seed)
{
    for (int line = 0; line < lines; line++, to += LINE_WORDS)
        write_line(to, seed, seed + (uint32_t)line, seed ^ (uint32_t)line);
}

/* Reads `lines` whole lines and returns the sum of their words. */
static inline uint32_t read_data(const mpb_word *from, int lines)
{
    uint32_t sum = 0;
    for (int line = 0; line < lines; line++, from += LINE_WORDS)
        for (int i = 0; i < LINE_WORDS; i++)
            sum += from[i];
    return sum;
}

static uint32_t data_sum(int from_line, int lines, uint32_t seed)
{
    uint32_t sum = 0;
    for (int line = from_line; line < lines; line++)
        sum += seed + (seed + (uint32_t)line) + 6 * (seed ^ (uint32_t)line);
    return sum;
}

static void send(enum mode mode, int bytes, uint32_t seed)
{
    struct header h = self;
    int lines = bytes / LINE;

    h.size = (uint32_t)bytes;
    if (mode == PULL)
        write_data(own + PULL_DATA / 4, lines, seed);
    else
        write_data(other + LINE_WORDS, lines - 1, seed);
    /* The header line last: whoever sees it must find the data. A core's
     * stores take effect in order, so the data lines are there by now. */
    write_header(other, h, seed);
}

/* Waits for a message and reads it; returns the sum of its data, in push
 * mode including the six words that share the line of the header. */
static uint32_t receive(enum mode mode)
{
    struct header h = poll_header(own, 1);
    int lines = (int)h.size / LINE;

    /* The lines of the last message may still be in L1; the header's own
     * line was read after the last CL1INVMB and is fresh. */
    if (mode == PULL)
        return read_data(other + PULL_DATA / 4, lines);
    uint32_t sum = 0;
    for (int i = 2; i < LINE_WORDS; i++)
        sum += own[i];
    return sum + read_data(own + LINE_WORDS, lines - 1);
}

static uint32_t expected_sum(enum mode mode, int bytes, uint32_t seed)
{
    int lines = bytes / LINE;
    return mode == PULL ? data_sum(0, lines, seed)
                        : 6 * seed + data_sum(0, lines - 1, seed);
}

/* Core 0: every message is answered by one line that carries its sum. */
static void answer(enum mode mode)
{
    for (int round = 0; round < ROUNDS; round++) {
        uint32_t sum = receive(mode);
        /* Before the answer: only then may the next message come. */
        set_invalid();
        send(mode, LINE, sum);
    }
}

/* 0..50 turns of two clocks. */
static void pause(uint32_t turns)
{
    __asm__ volatile("1: decl %0\n\tjns 1b" : "+r"(turns) : : "cc");
}

static uint32_t random_state = 1;

static uint32_t random_turns(void)
{
    /* The generator of the C standard's example, as its constants are the
     * best known ones; the high bits are the random ones. */
    random_state = random_state * 1103515245u + 12345u;
    return (random_state >> 16) % 51;
}

/* The other core: returns 0 when an answer was wrong. */
static int measure(enum mode mode, int bytes)
{
    uint64_t total = 0, shortest = UINT64_MAX, longest = 0;

    for (int round = 0; round < ROUNDS; round++) {
        uint32_t seed = 0x10000u * (uint32_t)(round + 1) + (uint32_t)bytes;
        pause(random_turns());
        uint64_t start = rdtsc();
        send(mode, bytes, seed);
        uint32_t got = receive(mode);
        uint64_t cycles = rdtsc() - start;
        set_invalid();

        uint32_t sum = expected_sum(mode, bytes, seed);
        if (got != expected_sum(mode, LINE, sum)) {
            printf("wrong answer in round %d of %s %d\n", round,
                   mode_name[mode], bytes);
            return 0;
        }
        total += cycles;
        shortest = cycles < shortest ? cycles : shortest;
        longest = cycles > longest ? cycles : longest;
    }
    printf("%s %d %d %llu %llu %llu\n", mode_name[mode], bytes, ROUNDS,
           (unsigned long long)total, (unsigned long long)shortest,
           (unsigned long long)longest);
    return 1;
}

static mpb_word *map(const char *device, uint32_t physical, size_t bytes)
{
    int fd = open(device, O_RDWR | O_SYNC);
    void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
                    (off_t)physical);
    return at == MAP_FAILED ? NULL : (mpb_word *)at;
}

static mpb_word *map_half(int core)
{
    return map("/dev/rckmpb",
               MPB_BASE + ((uint32_t)core / 2 << 24) +
                   (uint32_t)core % 2 * HALF,
               HALF);
}

/* The first core of the launch list that is not this one. */
static int find_other(int me)
{
    int cores, core, other_core = -1;
    FILE *launch = fopen("/proc/rck/launch", "r");

    if (!launch || fscanf(launch, "%d %*s", &cores) != 1)
        return -1;
    while (cores-- > 0 && fscanf(launch, "%d", &core) == 1)
        if (core != me && other_core < 0)
            other_core = core;
    fclose(launch);
    return other_core;
}

int main(void)
{
    mpb_word *crb = map("/dev/rckncm", OWN_CRB, 4096);
    if (!crb) {
        fprintf(stderr, "pingpong: cannot reach this tile's registers\n");
        return 1;
    }
    /* TILEID: 2:0 core, 6:3 column, 10:7 row. */
    uint32_t id = crb[CRB_TILEID / 4];
    uint32_t column = id >> 3 & 15, row = id >> 7 & 15;
    self = (struct header){row << 4 | column, id & 7, 0};
    int me = (int)(12 * row + 2 * column + self.core);

    int partner = find_other(me);
    own = map_half(me);
    other = partner < 0 ? NULL : map_half(partner);
    if (!own || !other) {
        fprintf(stderr, "pingpong: needs two cores, one of them core 0\n");
        return 1;
    }
    set_invalid();
    if (me != 0)
        poll_header(other, 0); /* core 0 has set its header to "none" */
    for (int mode = PUSH; mode <= PULL; mode++) {
        for (int bytes = LINE; bytes <= PACKET; bytes *= PACKET / LINE) {
            if (me == 0)
                answer((enum mode)mode);
            else if (!measure((enum mode)mode, bytes))
                return 2;
        }
    }
    return 0;
}
