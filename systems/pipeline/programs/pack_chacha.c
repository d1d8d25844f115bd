/* pack_chacha.c: ChaCha20 [rfc8439]. */
#include <string.h>

#include "pack.h"

#define BLOCK 64

static uint32_t turn(uint32_t value, int bits)
{
    return value << bits | value >> (32 - bits);
}

static void quarter(uint32_t *s, int a, int b, int c, int d)
{
    s[a] += s[b];
    s[d] = turn(s[d] ^ s[a], 16);
    s[c] += s[d];
    s[b] = turn(s[b] ^ s[c], 12);
    s[a] += s[b];
    s[d] = turn(s[d] ^ s[a], 8);
    s[c] += s[d];
    s[b] = turn(s[b] ^ s[c], 7);
}

static void make_block(const uint32_t state[16], uint32_t block[16])
{
    memcpy(block, state, BLOCK);
    for (int round = 0; round < 10; round++) {
        for (int i = 0; i < 4; i++)
            quarter(block, i, 4 + i, 8 + i, 12 + i);
        for (int i = 0; i < 4; i++)
            quarter(block, i, 4 + (i + 1) % 4, 8 + (i + 2) % 4,
                    12 + (i + 3) % 4);
    }
    for (int i = 0; i < 16; i++)
        block[i] += state[i];
}

void pack_encrypt(const uint32_t key[8], uint32_t number,
                  const unsigned char *in, unsigned char *out, size_t count)
{
    /* "expand 32-byte k", the key, the block's number, the nonce. */
    uint32_t state[16] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574};
    uint32_t block[16];

    memcpy(state + 4, key, 8 * sizeof *key);
    state[13] = number;
    for (size_t i = 0; i < count; i += BLOCK, state[12]++) {
        make_block(state, block);
        for (size_t k = 0; k < BLOCK && i + k < count; k++)
            out[i + k] =
                in[i + k] ^ (unsigned char)(block[k / 4] >> 8 * (k % 4));
    }
}
