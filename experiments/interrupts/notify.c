/*
 * notify.c: a word in the partner's MPB and an interrupt, between programs
 * under our own kernel: what it costs the sender, and how long it takes until
 * the other program knows.
 *
 * The first core of the launch pings, the other answers the same way, so
 * half a round is one way. Output: rounds, cycles of all sends, of all rounds.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#define ROUNDS 50
#define WARM_UP 2
#define LINE_WORDS 8
#define MPB_BASE 0xC0000000u
#define CRB_BASE 0xE0000000u
#define CRB_OWN 0xF8000000u
#define TILEID 0x100
#define GLCFG 0x10
#define INTR 2u

typedef volatile uint32_t word;

static word *map(const char *device, uint32_t address, size_t bytes)
{
    int fd = open(device, O_RDWR | O_SYNC);
    return mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
                (off_t)address);
}

static word *half_of(uint32_t core)
{
    return map("/dev/rckmpb", MPB_BASE + (core / 2 << 24) + core % 2 * 0x2000,
               0x2000);
}

static word *own, *other, *pins;
static int interrupts;

static void send(uint32_t value)
{
    for (int i = 0; i < LINE_WORDS; i++)
        other[i] = value;
    *pins = *pins | INTR;
}

static uint32_t receive(void)
{
    uint32_t count;

    if (read(interrupts, &count, sizeof(count)) != sizeof(count))
        return 0;
    __asm__ volatile(".byte 0x0f, 0x0a" : : : "memory"); /* CL1INVMB */
    return own[0];
}

int main(void)
{
    word *tile = map("/dev/rckncm", CRB_OWN, 4096);
    word *step = map("/dev/rckncm", 0x80000000u, 4096);
    FILE *launch = fopen("/proc/rck/launch", "r");
    uint32_t id = tile[TILEID / 4], cores[2], me;
    uint64_t sending = 0, start = 0;

    if (!launch || fscanf(launch, "%*d %*s %u %u", &cores[0], &cores[1]) != 2)
        return 1;
    me = 12 * (id >> 7 & 15) + 2 * (id >> 3 & 15) + (id & 7);
    own = half_of(me);
    other = half_of(cores[me == cores[0]]);
    pins =
        map("/dev/rckncm", CRB_BASE + (cores[me == cores[0]] / 2 << 24), 4096);
    pins += (GLCFG + cores[me == cores[0]] % 2 * 8) / 4;
    interrupts = open("/dev/rckirq", O_RDONLY);
    if (me != cores[0]) {
        *step = 1;
        for (int i = 0; i < ROUNDS + WARM_UP; i++)
            send(receive());
        return 0;
    }
    while (*step != 1)
        ;
    for (uint32_t i = 0; i < ROUNDS + WARM_UP; i++) {
        if (i == WARM_UP) {
            start = __builtin_ia32_rdtsc();
            sending = 0;
        }
        uint64_t begin = __builtin_ia32_rdtsc();
        send(i + 1);
        sending += __builtin_ia32_rdtsc() - begin;
        if (receive() != i + 1)
            return 2;
    }
    printf("%d %llu %llu\n", ROUNDS, (unsigned long long)sending,
           (unsigned long long)(__builtin_ia32_rdtsc() - start));
    return 0;
}
