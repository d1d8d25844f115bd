/* pack.h: what the stages of the program `pack` do with a chunk. */
#ifndef PACK_H
#define PACK_H

#include <stddef.h>
#include <stdint.h>

uint32_t pack_crc32(const unsigned char *bytes, size_t count);

/* Compresses to LZ4's block format. Returns the bytes written, or 0 if they
 * would be no fewer than `count`: the caller then keeps the chunk as it is. */
size_t pack_compress(const unsigned char *in, size_t count, unsigned char *out);

/* Encrypts chunk number `number` by ChaCha20 [rfc8439, section 2.4] into `out`,
 * which may be `in`; each chunk has a nonce of its own. */
void pack_encrypt(const uint32_t key[8], uint32_t number,
                  const unsigned char *in, unsigned char *out, size_t count);

#endif
