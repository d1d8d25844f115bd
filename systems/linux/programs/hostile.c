/*
 * hostile.c: random packets for the Linux of another core, and random words in
 * the ring where it takes them.
 *
 *   hostile CORE PACKETS [SEED]
 *
 * Every eighth packet comes after a random word, stored into the receiver's
 * ring with no regard for its lock, or after a packet in the ring that says it
 * is longer than any may be. Half of the packets are IP's, with a header that is
 * right but for one byte, so that they get further than the driver.
 */
#include <fcntl.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "scc/memory_map.h"
#include "scc/registers.h"

#define HEADER 14u
#define IP_HEADER 20u
#define LONGEST 1514u
#define PAGE 4096u
#define WORDS_EVERY 8u
/* Head, rests, mark and tail of a ring are here (rckmb_ring.h). */
#define CONTROL_WORDS 16u
#define HEAD 1u
#define FIRST_PACKET 24u
#define LINE_WORDS 8u
#define IP_TYPE 0x0800u

static unsigned target;
static uint32_t state;
static unsigned char frame[LONGEST];

static void fail(const char *what)
{
    perror(what);
    exit(1);
}

static uint32_t random_word(void)
{
    state = state * 1103515245u + 12345u;
    return state ^ state >> 15;
}

static void put16(unsigned at, unsigned value)
{
    frame[at] = (unsigned char)(value >> 8);
    frame[at + 1] = (unsigned char)value;
}

static unsigned checksum(unsigned from, unsigned bytes)
{
    uint32_t sum = 0;

    for (unsigned n = 0; n < bytes; n += 2)
        sum += (uint32_t)frame[from + n] << 8 | frame[from + n + 1];
    while (sum >> 16)
        sum = (sum & 0xffffu) + (sum >> 16);
    return ~sum & 0xffffu;
}

/* A header of IP to the receiver, in which at most one field is random. */
static void make_ip(unsigned length)
{
    static const unsigned char protocols[] = {1, 2, 6, 17, 41, 47, 255};
    unsigned char *ip = frame + HEADER;
    unsigned wrong = random_word() % 24;

    put16(12, IP_TYPE);
    ip[0] = 0x45;
    put16(HEADER + 2, length - HEADER);
    if (random_word() % 4)
        put16(HEADER + 6, 0);
    ip[8] = 64;
    ip[9] = protocols[random_word() % sizeof protocols];
    memcpy(ip + 12, (unsigned char[]){192, 168, 0}, 3);
    ip[15] = (unsigned char)(random_word() % 49);
    memcpy(ip + 16, (unsigned char[]){192, 168, 0}, 3);
    ip[19] = (unsigned char)(target + 1);
    if (wrong < IP_HEADER)
        ip[wrong] = (unsigned char)random_word();
    put16(HEADER + 10, 0);
    put16(HEADER + 10, checksum(HEADER, IP_HEADER));
}

static unsigned make_frame(void)
{
    unsigned length =
        HEADER + IP_HEADER + random_word() % (LONGEST - HEADER - IP_HEADER + 1);

    if (random_word() % 4 == 0)
        length = HEADER + IP_HEADER + random_word() % 64;
    for (unsigned n = 0; n < length; n++)
        frame[n] = (unsigned char)(random_word() >> 8);
    memcpy(frame, "\2rck", 4);
    frame[4] = 0;
    frame[5] = (unsigned char)target;
    if (random_word() % 2)
        make_ip(length);
    return length;
}

static volatile uint32_t *map_ring(void)
{
    int memory = open("/dev/rckncm", O_RDWR);
    off_t at = (off_t)SCC_MPB_BASE + target / 2 * (off_t)SCC_CRB_BASE_STRIDE +
               target % 2 * (off_t)SCC_MPB_SIZE_PER_CORE;
    void *words = mmap(NULL, SCC_MPB_SIZE_PER_CORE, PROT_READ | PROT_WRITE,
                       MAP_SHARED, memory, at);

    if (words == MAP_FAILED)
        fail("/dev/rckncm");
    return words;
}

static void spoil(volatile uint32_t *ring)
{
    uint32_t at = random_word() % (SCC_MPB_SIZE_PER_CORE / 4);

    if (random_word() % 3 == 0)
        at %= CONTROL_WORDS;
    ring[at] = random_word() % 2 ? random_word() : random_word() % 256;
}

/* In the way of a sender, but for the lock and the length. */
static void put_oversized(volatile uint32_t *ring)
{
    uint32_t lines = SCC_MPB_SIZE_PER_CORE / 32 - FIRST_PACKET / LINE_WORDS;
    uint32_t head = ring[HEAD] % lines, length = LONGEST + 1;

    length += random_word() % (SCC_MPB_SIZE_PER_CORE - length);
    ring[FIRST_PACKET + head * LINE_WORDS] = length | (target + 1) << 16;
    ring[HEAD] = (head + (length + 4 + 31) / 32) % lines;
}

static void send_all(unsigned long packets)
{
    struct sockaddr_ll to = {.sll_family = AF_PACKET,
                             .sll_ifindex = (int)if_nametoindex("mb0"),
                             .sll_halen = 6};
    int any = socket(AF_PACKET, SOCK_RAW, 0);
    volatile uint32_t *ring = map_ring();
    unsigned long refused = 0;

    if (any < 0)
        fail("socket");
    for (unsigned long n = 0; n < packets; n++) {
        if (n % (4 * WORDS_EVERY) == 0)
            put_oversized(ring);
        else if (n % WORDS_EVERY == 0)
            spoil(ring);
        if (sendto(any, frame, make_frame(), 0, (struct sockaddr *)&to,
                   sizeof to) < 0)
            refused++;
    }
    printf("%lu packets, %lu of them refused\n", packets, refused);
}

int main(int count, char **words)
{
    if (count < 3) {
        fprintf(stderr, "hostile CORE PACKETS [SEED]\n");
        return 64;
    }
    target = (unsigned)strtoul(words[1], NULL, 0);
    state = count > 3 ? (uint32_t)strtoul(words[3], NULL, 0) : 20101;
    send_all(strtoul(words[2], NULL, 0));
    return 0;
}
