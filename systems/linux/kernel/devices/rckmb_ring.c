// SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0
/*
 * rckmb_ring.c: packets from any core in the memory of their receiver.
 *
 * Head and tail are numbers of lines; one line stays free, so equal numbers
 * mean an empty ring. A sender first stores the packet, then the head; both
 * travel the same way, so the receiver never sees the head first. Whether the
 * receiver rests is read after the head was stored, and the receiver reads the
 * head after it has stored that it rests: one of the two notices the other.
 *
 * Any core can write to this memory, so the receiver believes nothing in it.
 */
#include "rckmb_ring.h"

#define WORDS (RCKMB_LINE / 4u)
#define DRAIN_LINE 2u

enum {
	WORD_MARK = 0,
	WORD_HEAD = 1,
	WORD_RESTS = 2,
	WORD_TAIL = WORDS
};

void rckmb_ring_place(struct rckmb_ring *ring, volatile void *control,
		      volatile void *messages, unsigned int size)
{
	ring->control = control;
	ring->drain = (volatile unsigned int *)messages + DRAIN_LINE * WORDS;
	ring->packets =
		(volatile unsigned int *)messages + RCKMB_CONTROL_LINES * WORDS;
	ring->lines = size / RCKMB_LINE - RCKMB_CONTROL_LINES;
}

void rckmb_ring_open(struct rckmb_ring *ring)
{
	ring->control[WORD_HEAD] = 0;
	ring->control[WORD_TAIL] = 0;
	ring->control[WORD_RESTS] = 1;
	ring->control[WORD_MARK] = RCKMB_MARK;
}

void rckmb_ring_close(struct rckmb_ring *ring)
{
	unsigned int n;

	/* Whole lines, so that none of them stays in the write-combine
	 * buffer, and nothing that was there before. */
	for (n = 0; n < ring->lines * WORDS; n++)
		ring->packets[n] = 0;
	for (n = RCKMB_CONTROL_LINES * WORDS; n > 0; n--)
		ring->control[n - 1] = 0;
}

static unsigned int lines_of(unsigned int length)
{
	return (length + 4u + RCKMB_LINE - 1u) / RCKMB_LINE;
}

static unsigned int after(const struct rckmb_ring *ring, unsigned int line,
			  unsigned int count)
{
	line += count;
	return line < ring->lines ? line : line - ring->lines;
}

static unsigned int used(const struct rckmb_ring *ring, unsigned int head,
			 unsigned int tail)
{
	return head >= tail ? head - tail : head + ring->lines - tail;
}

/* Up to four bytes as a word, with zeros behind them. */
static unsigned int word_at(const unsigned char *data, unsigned int left)
{
	unsigned int word = 0, n;

	for (n = 0; n < 4u && n < left; n++)
		word |= (unsigned int)data[n] << (8u * n);
	return word;
}

typedef unsigned int any_word __attribute__((aligned(1), may_alias));

/* A whole line, always: one packet of the mesh carries it. */
static void put_line(volatile unsigned int *line, unsigned int first,
		     const unsigned char *data, unsigned int left)
{
	unsigned int n = 0;

	if (first)
		line[n++] = first;
	for (; n < WORDS && left >= 4u; n++, data += 4, left -= 4u)
		line[n] = *(const any_word *)data;
	for (; n < WORDS; n++) {
		line[n] = word_at(data, left);
		data += left < 4u ? left : 4u;
		left -= left < 4u ? left : 4u;
	}
}

enum rckmb_result rckmb_ring_put(struct rckmb_ring *ring, unsigned int from,
				 const void *data, unsigned int length,
				 int *ring_bell)
{
	const unsigned char *at = data;
	unsigned int first = length | (from + 1u) << 16;
	unsigned int needed = lines_of(length), left = length, line, head, n;

	*ring_bell = 0;
	if (length < RCKMB_SHORTEST || length > RCKMB_LONGEST)
		return RCKMB_SIZE;
	if (ring->control[WORD_MARK] != RCKMB_MARK)
		return RCKMB_NOBODY;
	head = ring->control[WORD_HEAD];
	n = ring->control[WORD_TAIL];
	if (head >= ring->lines || n >= ring->lines) {
		/* The receiver empties the ring once it looks. */
		*ring_bell = 1;
		return RCKMB_BROKEN;
	}
	if (used(ring, head, n) + needed >= ring->lines) {
		*ring_bell = 1;
		return RCKMB_FULL;
	}
	line = head;
	for (n = 0; n < needed; n++) {
		unsigned int bytes = n == 0 ? RCKMB_LINE - 4u : RCKMB_LINE;

		if (bytes > left)
			bytes = left;
		put_line(ring->packets + line * WORDS, n == 0 ? first : 0, at,
			 left);
		at += bytes;
		left -= bytes;
		line = after(ring, line, 1);
	}
	/* An interrupt may have sent the first half of a line by itself. */
	*ring->drain = 0;
	ring->control[WORD_HEAD] = line;
	if (ring->control[WORD_RESTS]) {
		ring->control[WORD_RESTS] = 0;
		*ring_bell = 1;
	}
	return RCKMB_OK;
}

static void forget_lines(void)
{
	/* CL1INVMB */
	__asm__ volatile(".byte 0x0f, 0x0a" : : : "memory");
}

enum rckmb_result rckmb_ring_next(struct rckmb_ring *ring,
				  struct rckmb_packet *packet)
{
	unsigned int head = ring->control[WORD_HEAD];
	unsigned int tail = ring->control[WORD_TAIL];
	unsigned int first;

	if (ring->control[WORD_MARK] != RCKMB_MARK || head >= ring->lines ||
	    tail >= ring->lines)
		return RCKMB_BROKEN;
	if (head == tail)
		return RCKMB_EMPTY;
	forget_lines();
	first = ring->packets[tail * WORDS];
	packet->length = first & 0xffffu;
	packet->from = (first >> 16) - 1u;
	packet->line = tail;
	if (packet->length < RCKMB_SHORTEST || packet->length > RCKMB_LONGEST ||
	    lines_of(packet->length) > used(ring, head, tail))
		return RCKMB_BROKEN;
	return RCKMB_OK;
}

void rckmb_ring_take(struct rckmb_ring *ring, const struct rckmb_packet *packet,
		     void *data)
{
	unsigned char *at = data;
	unsigned int left = packet->length, n = 1;
	/* Not the tail of now: another core may have spoilt it since. */
	unsigned int line = packet->line;

	while (left) {
		unsigned int word = ring->packets[line * WORDS + n];

		if (left >= 4u) {
			*(any_word *)at = word;
			at += 4;
			left -= 4u;
		} else {
			for (; left; left--, word >>= 8)
				*at++ = (unsigned char)word;
		}
		if (++n == WORDS && left) {
			n = 0;
			line = after(ring, line, 1);
		}
	}
	ring->control[WORD_TAIL] = after(ring, line, 1);
}

int rckmb_ring_calls(const struct rckmb_ring *ring)
{
	return ring->control[WORD_HEAD] != ring->control[WORD_TAIL] ||
	       ring->control[WORD_MARK] != RCKMB_MARK;
}

int rckmb_ring_rest(struct rckmb_ring *ring)
{
	ring->control[WORD_RESTS] = 1;
	if (!rckmb_ring_calls(ring))
		return 0;
	ring->control[WORD_RESTS] = 0;
	return 1;
}

void rckmb_ring_watch(struct rckmb_ring *ring)
{
	ring->control[WORD_RESTS] = 0;
}

unsigned int rckmb_ring_tail(const struct rckmb_ring *ring)
{
	return ring->control[WORD_TAIL];
}
