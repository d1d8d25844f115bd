/* SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0 */
/*
 * rckmb_ring.h: packets from any core in the memory of their receiver.
 *
 * Each core has one ring, in its message buffer or in off-die shared memory.
 * Senders put packets into it one at a time: each holds the lock of the
 * receiver's core meanwhile. The receiver takes them without a lock. Neither
 * file needs more than a C compiler, so Linux and bare programs share them.
 *
 *   line 0   mark, head: where the next packet goes, whether to ring
 *   line 1   tail: where the receiver reads next
 *   line 2   nothing: a store to it empties the write-combine buffer
 *   line 3.. packets; each begins a line with a word of length and sender
 *
 * Words of lines 0 and 1 are reached uncached. Packets are message memory,
 * whose lines the receiver drops from L1 before it reads.
 */
#ifndef RCKMB_RING_H
#define RCKMB_RING_H

#define RCKMB_LINE 32u
#define RCKMB_CONTROL_LINES 3u
/* The first word of a ring that somebody receives from. */
#define RCKMB_MARK 0x52434b42u
/* Bytes of a packet: an Ethernet frame that carries 1500 bytes, or none. */
#define RCKMB_LONGEST 1514u
#define RCKMB_SHORTEST 14u

enum rckmb_result {
	RCKMB_OK,
	/* The receiver has not taken enough of what is there. */
	RCKMB_FULL,
	/* Nobody receives: this core runs no such ring. */
	RCKMB_NOBODY,
	/* Nothing to take. */
	RCKMB_EMPTY,
	/* What is in the ring is no packet. */
	RCKMB_BROKEN,
	/* The packet is longer or shorter than any may be. */
	RCKMB_SIZE,
};

struct rckmb_ring {
	volatile unsigned int *control; /* uncached */
	volatile unsigned int *drain;	/* message memory; line 2 */
	volatile unsigned int *packets; /* message memory; from line 3 on */
	unsigned int lines;		/* of packets */
};

struct rckmb_packet {
	unsigned int from;
	unsigned int length;
	unsigned int line; /* of the ring, where the packet begins */
};

/* control (uncached) and messages (message memory): two mappings of the same
 * memory of `size` bytes, whole lines. Accesses no memory. */
void rckmb_ring_place(struct rckmb_ring *ring, volatile void *control,
		      volatile void *messages, unsigned int size);

/*
 * By the receiver, with its own lock held and without interrupts: makes an
 * empty ring, whose first packet rings; from now on no ring (senders get
 * RCKMB_NOBODY). What is left then is zeros, as programs expect of a message
 * buffer, and the mark is the last word that becomes zero.
 */
void rckmb_ring_open(struct rckmb_ring *ring);
void rckmb_ring_close(struct rckmb_ring *ring);

/*
 * By a sender, with the receiver's lock held; `from`: the sender's core number.
 * Returns RCKMB_OK, _SIZE, _NOBODY, _FULL or _BROKEN. Sets `ring_bell` to 1 if
 * the receiver is to be interrupted (it rests, or the ring is full or broken),
 * otherwise to 0.
 */
enum rckmb_result rckmb_ring_put(struct rckmb_ring *ring, unsigned int from,
				 const void *data, unsigned int length,
				 int *ring_bell);

/*
 * By the receiver: finds the next packet (RCKMB_OK, _EMPTY, or _BROKEN: open
 * the ring anew), and then copies its bytes and frees its lines.
 */
enum rckmb_result rckmb_ring_next(struct rckmb_ring *ring,
				  struct rckmb_packet *packet);
void rckmb_ring_take(struct rckmb_ring *ring, const struct rckmb_packet *packet,
		     void *data);

/* By the receiver: whether something is there to look at: a packet, or a ring
 * that another core has spoilt so that no sender rings any more. */
int rckmb_ring_calls(const struct rckmb_ring *ring);

/*
 * By the receiver, before it stops to look: from now on a sender rings. True
 * if something has come meanwhile, and the receiver must go on.
 */
int rckmb_ring_rest(struct rckmb_ring *ring);

/* By the receiver while it looks: senders need not ring. */
void rckmb_ring_watch(struct rckmb_ring *ring);

/* The line where the receiver reads next; a sender sees by its changes whether
 * the receiver is alive. */
unsigned int rckmb_ring_tail(const struct rckmb_ring *ring);

#endif
