/*
 * copies.c: one core copies and sets 1 MiB of DRAM, four times what its L2
 * holds, in the ways of partheymueller-2011, sections 3.3.1 and 4.1.
 *
 * All memory lies behind one controller; what differs is the way and the
 * memory type. One line for each: name, bytes, cycles, 1 if the data are
 * right.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <iRCCE.h>

#define BYTES (1u << 20)
#define WORDS (BYTES / 4)
#define LINE_WORDS 8
#define TO_OFFSET (4u << 20)
/* Shared DRAM behind the first controller, in the default LUT. */
#define SHARED 0x80000000u

typedef uint32_t word;
typedef void copy(word *to, const word *from);

/* One memory through two windows: cached, and as message memory. */
static word *cached, *message;
static int cached_device;

static uint64_t cycles_now(void)
{
    return __builtin_ia32_rdtsc();
}

static word *map(const char *device, int *keep)
{
    int fd = open(device, O_RDWR | O_SYNC);
    void *at = mmap(NULL, TO_OFFSET + BYTES, PROT_READ | PROT_WRITE, MAP_SHARED,
                    fd, (off_t)SHARED);

    if (keep)
        *keep = fd;
    return at == MAP_FAILED ? NULL : at;
}

static void copy_plain(word *to, const word *from)
{
    memcpy(to, from, BYTES);
}

/* A line that is there takes the writes: one read brings it. */
static void copy_allocating(word *to, const word *from)
{
    for (size_t i = 0; i < WORDS; i += LINE_WORDS) {
        (void)*(volatile word *)(to + i);
        memcpy(to + i, from + i, LINE_WORDS * sizeof(word));
    }
}

static void copy_ircce(word *to, const word *from)
{
    iRCCE_memcpy_get(to, from, BYTES);
}

static void set_plain(word *to, const word *from)
{
    memset(to, (uint8_t)from[0], BYTES);
}

static void set_allocating(word *to, const word *from)
{
    for (size_t i = 0; i < WORDS; i += LINE_WORDS) {
        (void)*(volatile word *)(to + i);
        memset(to + i, (uint8_t)from[0], LINE_WORDS * sizeof(word));
    }
}

static void cl1invmb(void)
{
    __asm__ volatile(".byte 0x0f, 0x0a" : : : "memory");
}

/* Everything written, nothing of it left in L1 and L2. */
static void flush(void)
{
    write(cached_device, "", 0);
    cl1invmb();
}

static int is_right(copy *way)
{
    const word *to = cached + TO_OFFSET / 4;
    int copied = way != set_plain && way != set_allocating;
    word set = (cached[0] & 0xFF) * 0x01010101u;

    for (size_t i = 0; i < WORDS; i++)
        if (to[i] != (copied ? cached[i] : set))
            return 0;
    return 1;
}

static void measure(const char *name, copy *way, word *to, const word *from)
{
    uint64_t start;

    memset(cached + TO_OFFSET / 4, 0, BYTES);
    flush();
    start = cycles_now();
    way(to, from);
    uint64_t cycles = cycles_now() - start;
    flush();
    printf("%s %u %llu %d\n", name, BYTES, (unsigned long long)cycles,
           is_right(way));
}

int main(void)
{
    cached = map("/dev/rckdcm", &cached_device);
    message = map("/dev/rckmpb", NULL);
    if (!cached || !message)
        return 1;
    /* Pages appear at their first touch: not while we measure. */
    for (size_t i = 0; i < WORDS; i++)
        cached[i] = (word)i * 2654435761u;
    for (size_t i = 0; i < TO_OFFSET + BYTES; i += 4096)
        (void)*((volatile uint8_t *)message + i);
    word *to = cached + TO_OFFSET / 4, *to_message = message + TO_OFFSET / 4;
    measure("copy-plain", copy_plain, to, cached);
    measure("copy-allocating", copy_allocating, to, cached);
    measure("copy-ircce", copy_ircce, to, cached);
    measure("copy-to-message", copy_plain, to_message, cached);
    measure("copy-message", copy_plain, to_message, message);
    measure("set-plain", set_plain, to, cached);
    measure("set-allocating", set_allocating, to, cached);
    measure("set-message", set_plain, to_message, cached);
    return 0;
}
