/*
 * notify.c: a notification through a ring in the partner's MPB and an
 * interrupt, in the steps that barrelfish-tn005 lists, between programs
 * under our own kernel: what it costs the sender, and how long it takes until
 * the other program knows.
 *
 * The sender enters the kernel (there its kernel does the rest; here an empty
 * system call), takes the receiver's lock, reads the ring's positions, writes a
 * line with the message and one with the new positions, sets the pin if it is
 * not set, and releases the lock. The receiver, woken, takes its lock, reads
 * the positions and the message, writes its position back and releases.
 *
 * The first core of the launch pings, the other answers the same way, so
 * half a round is one way. Output: rounds, cycles of all sends, of all rounds.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define ROUNDS 50
#define WARM_UP 2
#define LINE_WORDS 8
#define RING_LINES 255
#define MPB_BASE 0xC0000000u
#define CRB_BASE 0xE0000000u
#define CRB_OWN 0xF8000000u
#define TILEID 0x100
#define GLCFG 0x10
#define LOCK 0x200 /* of core 0; core 1's is 0x200 further */
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

/* A core's ring in its half of the MPB (positions, then lines), its pins, its
 * lock. */
struct core {
    word *ring, *pins, *lock;
};

static struct core self, partner;
static int interrupts;

static void cl1invmb(void)
{
    __asm__ volatile(".byte 0x0f, 0x0a" : : : "memory");
}

static void take(word *lock)
{
    while (!(*lock & 1))
        ;
}

/* A whole line: the write-combine buffer drains when it is full. */
static void write_line(word *line, uint32_t first, uint32_t second)
{
    line[0] = first;
    line[1] = second;
    for (int i = 2; i < LINE_WORDS; i++)
        line[i] = 0;
}

static void send(uint32_t value)
{
    syscall(SYS_getppid);
    take(partner.lock);
    cl1invmb();
    uint32_t reader = partner.ring[0], writer = partner.ring[1];

    write_line(partner.ring + LINE_WORDS * (1 + writer), value, 0);
    write_line(partner.ring, reader, (writer + 1) % RING_LINES);
    uint32_t pins = *partner.pins;
    if (!(pins & INTR))
        *partner.pins = pins | INTR;
    *partner.lock = 0;
}

static uint32_t receive(void)
{
    uint32_t count, value;

    if (read(interrupts, &count, sizeof(count)) != sizeof(count))
        return 0;
    take(self.lock);
    cl1invmb();
    uint32_t reader = self.ring[0], writer = self.ring[1];
    if (reader == writer)
        return 0;
    value = self.ring[LINE_WORDS * (1 + reader)];
    write_line(self.ring, (reader + 1) % RING_LINES, writer);
    *self.lock = 0;
    return value;
}

static struct core open_core(uint32_t number)
{
    word *tile = map("/dev/rckncm", CRB_BASE + (number / 2 << 24), 4096);
    uint32_t which = number % 2;

    return (struct core){half_of(number), tile + (GLCFG + 8 * which) / 4,
                         tile + (LOCK + 0x200 * which) / 4};
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
    self = open_core(me);
    partner = open_core(cores[me == cores[0]]);
    write_line(self.ring, 0, 0);
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
