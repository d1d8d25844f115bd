/*
 * scctalk.h: message passing between core 0 and one other core, with the
 * protocol of partheymueller-2011, section 3.2.2.
 *
 * A packet is announced by a header of 8 bytes (tile, core, size) in the
 * receiver's MPB:
 *   push  header and data lie in the receiver's MPB, the header in the first
 *         8 bytes of the packet; its line is written last
 *   pull  the data stay in the sender's MPB, a header line goes to the
 *         receiver, who fetches the data
 * The receiver learns of it by polling the header or by an interrupt. In a
 * throughput test it answers with a signal when it has the data: an
 * interrupt, or a line with a header. Whoever sends sets its own header to
 * values that no packet can have first, and waits until they are others.
 *
 * Only whole lines are written, with accesses of 64 bits: the write-combine
 * buffer drains when it is full.
 */
#ifndef SCCTALK_H
#define SCCTALK_H

#include <stddef.h>
#include <stdint.h>

#define LINE 32
#define PAGE 4096
#define LONGS_A_LINE 4
#define HALF 8192
#define PACKET_MAX 4096
#define HEADER_BYTES 8

enum place { PUSH, PULL };
enum notice { POLL, INTERRUPT };
/* PLAIN and ALLOCATE copy to ever new memory, without and with a read of each
 * line before it is written; CHECK compares with what is sent. */
enum sink { READ, STACK, STATIC, PLAIN, ALLOCATE, CHECK };

/* What packets of a size hold. */
#define DATA(size, i) ((uint64_t)(size) << 32 | (i))

/* How the packets of a test go. */
struct way {
    enum place place;
    enum notice notice;
    enum sink sink;
    int flush;    /* the receiver's caches, before the packets of each size */
    size_t depth; /* bytes of stack that calls before the packets use */
};

struct header {
    uint16_t tile, core;
    uint32_t size;
};

typedef volatile uint64_t mpb_long;

/* mpb.c: this core's half of its tile's MPB, and the partner's. */
extern mpb_long *own_mpb, *other_mpb;
extern struct header self;
int mpb_open(void);
void mpb_invalidate(void);
struct header mpb_header(const mpb_long *half);
int header_is_valid(struct header header);
int header_is_free(struct header header);
void write_line(mpb_long *line, uint64_t first, const uint64_t *rest);
void write_header(mpb_long *line, struct header header, const uint64_t *data);

/* notify.c */
int notify_open(void);
void notify_partner(void);
struct header wait_for_packet(enum notice notice);
void wait_until_free(void);
extern uint64_t interrupt_cycles; /* kernel entry to program, in all */

/* message.c: sizes are multiples of 32, headers included in push. */
void send_packet(struct way way, const uint64_t *data, size_t size);
void receive_packet(struct way way);
void receive_and_signal(struct way way);
void receive_packets(struct way way, size_t size, int packets);
extern int last_packet_was_right;         /* of a CHECK sink */
extern uint64_t received[PACKET_MAX / 8]; /* a STATIC sink's data */
/* The kernel gives a page at its first touch: not while we measure. */
void touch_pages(void *area, size_t bytes);
void touch_ring(void);
void use_ring(void);
size_t payload_of(struct way way, size_t size);

/* copy.c */
void read_payload(const mpb_long *from, size_t bytes);
void copy_payload(uint64_t *to, const mpb_long *from, size_t bytes);
void copy_allocating(uint64_t *to, const mpb_long *from, size_t bytes);
int payload_is_right(const mpb_long *from, size_t bytes, size_t size);

/* measure.c: the partner of core 0 measures and prints. */
void round_trips(struct way way, int rounds, const char *name);
int throughput(struct way way, size_t size, int packets, const char *name);
void touch_memory(void);

static inline uint64_t cycles_now(void)
{
    uint32_t low, high;
    __asm__ volatile("rdtsc" : "=a"(low), "=d"(high) : : "memory");
    return (uint64_t)high << 32 | low;
}

/* Drops L1's copies of MPB lines: the next read sees the MPB. */
static inline void cl1invmb(void)
{
    __asm__ volatile(".byte 0x0f, 0x0a" : : : "memory");
}

/* Core 0 answers, the other core measures. */
static inline int is_core_0(void)
{
    return self.tile == 0 && self.core == 0;
}

#endif
