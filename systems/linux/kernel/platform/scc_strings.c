// SPDX-License-Identifier: GPL-2.0-only
/*
 * scc_strings.c: memset and memcpy.
 *
 * A store that misses both caches goes to memory by itself: neither cache
 * takes a line for it. So these read each line before they write it, which
 * makes its stores hits; as Linux has the two, a cleared page would be 4,096
 * packets of the mesh. Volatile stores: the compiler must not make a call of
 * memset out of them.
 */
#include <linux/compiler.h>
#include <linux/export.h>
#include <linux/string.h>

#include "scc.h"

#undef memcpy
#undef memset

#define WORDS (SCC_LINE_SIZE / sizeof(u32))
/* Fewer bytes than this may have no whole line among them. */
#define SHORT (2 * SCC_LINE_SIZE)

static __always_inline void fill_bytes(u8 *at, u8 byte, size_t count)
{
	while (count--)
		WRITE_ONCE(*at++, byte);
}

static __always_inline void copy_bytes(u8 *to, const u8 *from, size_t count)
{
	while (count--)
		WRITE_ONCE(*to++, *from++);
}

static __always_inline u32 *fill_words(u32 *at, u32 word, size_t count)
{
	while (count--)
		WRITE_ONCE(*at++, word);
	return at;
}

/* Eight stores without a loop around them: most of a boot are these lines. */
static __always_inline void fill_line(u32 *at, u32 word)
{
	size_t n;

	(void)READ_ONCE(*at);
#pragma GCC unroll 8
	for (n = 0; n < WORDS; n++)
		WRITE_ONCE(at[n], word);
}

static __always_inline void copy_line(u32 *to, const u32 *from)
{
	size_t n;

	(void)READ_ONCE(*to);
#pragma GCC unroll 8
	for (n = 0; n < WORDS; n++)
		WRITE_ONCE(to[n], from[n]);
}

static size_t up_to(const void *at, size_t boundary)
{
	return -(unsigned long)at & (boundary - 1);
}

__visible void *memset(void *start, int value, size_t count)
{
	u32 word = (u8)value * 0x01010101u;
	u32 *at = start;
	size_t n;

	if (count >= SHORT) {
		n = up_to(at, sizeof(u32));
		fill_bytes(start, value, n);
		at = (void *)at + n;
		count -= n;
		n = up_to(at, SCC_LINE_SIZE);
		at = fill_words(at, word, n / sizeof(u32));
		for (count -= n; count >= SCC_LINE_SIZE;
		     count -= SCC_LINE_SIZE, at += WORDS)
			fill_line(at, word);
	}
	at = fill_words(at, word, count / sizeof(u32));
	fill_bytes((u8 *)at, value, count % sizeof(u32));
	return start;
}
EXPORT_SYMBOL(memset);

__visible void *memcpy(void *target, const void *source, size_t count)
{
	const u32 *from = source;
	u32 *to = target;
	size_t n;

	if (count >= SHORT) {
		n = up_to(to, SCC_LINE_SIZE);
		copy_bytes(target, source, n);
		to = (void *)to + n;
		from = (const void *)from + n;
		for (count -= n; count >= SCC_LINE_SIZE;
		     count -= SCC_LINE_SIZE, to += WORDS, from += WORDS)
			copy_line(to, from);
	}
	for (; count >= sizeof(u32); count -= sizeof(u32))
		WRITE_ONCE(*to++, *from++);
	copy_bytes((u8 *)to, (const u8 *)from, count);
	return target;
}
EXPORT_SYMBOL(memcpy);
