/*
 * des.c's cipher, as the standard is written: a bit a byte.
 */
#include "des.h"

#include <stdio.h>
#include <string.h>

static const uint8_t initial[64] = {
    58, 50, 42, 34, 26, 18, 10, 2, 60, 52, 44, 36, 28, 20, 12, 4,
    62, 54, 46, 38, 30, 22, 14, 6, 64, 56, 48, 40, 32, 24, 16, 8,
    57, 49, 41, 33, 25, 17, 9,  1, 59, 51, 43, 35, 27, 19, 11, 3,
    61, 53, 45, 37, 29, 21, 13, 5, 63, 55, 47, 39, 31, 23, 15, 7,
};
static const uint8_t final[64] = {
    40, 8, 48, 16, 56, 24, 64, 32, 39, 7, 47, 15, 55, 23, 63, 31,
    38, 6, 46, 14, 54, 22, 62, 30, 37, 5, 45, 13, 53, 21, 61, 29,
    36, 4, 44, 12, 52, 20, 60, 28, 35, 3, 43, 11, 51, 19, 59, 27,
    34, 2, 42, 10, 50, 18, 58, 26, 33, 1, 41, 9,  49, 17, 57, 25,
};
static const uint8_t expansion[48] = {
    32, 1,  2,  3,  4,  5,  4,  5,  6,  7,  8,  9,  8,  9,  10, 11,
    12, 13, 12, 13, 14, 15, 16, 17, 16, 17, 18, 19, 20, 21, 20, 21,
    22, 23, 24, 25, 24, 25, 26, 27, 28, 29, 28, 29, 30, 31, 32, 1,
};
static const uint8_t permutation[32] = {
    16, 7, 20, 21, 29, 12, 28, 17, 1,  15, 23, 26, 5,  18, 31, 10,
    2,  8, 24, 14, 32, 27, 3,  9,  19, 13, 30, 6,  22, 11, 4,  25,
};
static const uint8_t choice_1[56] = {
    57, 49, 41, 33, 25, 17, 9,  1,  58, 50, 42, 34, 26, 18, 10, 2,  59, 51, 43,
    35, 27, 19, 11, 3,  60, 52, 44, 36, 63, 55, 47, 39, 31, 23, 15, 7,  62, 54,
    46, 38, 30, 22, 14, 6,  61, 53, 45, 37, 29, 21, 13, 5,  28, 20, 12, 4,
};
static const uint8_t choice_2[48] = {
    14, 17, 11, 24, 1,  5,  3,  28, 15, 6,  21, 10, 23, 19, 12, 4,
    26, 8,  16, 7,  27, 20, 13, 2,  41, 52, 31, 37, 47, 55, 30, 40,
    51, 45, 33, 48, 44, 49, 39, 56, 34, 53, 46, 42, 50, 36, 29, 32,
};
static const uint8_t box[8][64] = {
    {14, 4,  13, 1, 2,  15, 11, 8,  3,  10, 6,  12, 5,  9,  0, 7,
     0,  15, 7,  4, 14, 2,  13, 1,  10, 6,  12, 11, 9,  5,  3, 8,
     4,  1,  14, 8, 13, 6,  2,  11, 15, 12, 9,  7,  3,  10, 5, 0,
     15, 12, 8,  2, 4,  9,  1,  7,  5,  11, 3,  14, 10, 0,  6, 13},
    {15, 1,  8,  14, 6,  11, 3,  4,  9,  7, 2,  13, 12, 0, 5,  10,
     3,  13, 4,  7,  15, 2,  8,  14, 12, 0, 1,  10, 6,  9, 11, 5,
     0,  14, 7,  11, 10, 4,  13, 1,  5,  8, 12, 6,  9,  3, 2,  15,
     13, 8,  10, 1,  3,  15, 4,  2,  11, 6, 7,  12, 0,  5, 14, 9},
    {10, 0,  9,  14, 6, 3,  15, 5,  1,  13, 12, 7,  11, 4,  2,  8,
     13, 7,  0,  9,  3, 4,  6,  10, 2,  8,  5,  14, 12, 11, 15, 1,
     13, 6,  4,  9,  8, 15, 3,  0,  11, 1,  2,  12, 5,  10, 14, 7,
     1,  10, 13, 0,  6, 9,  8,  7,  4,  15, 14, 3,  11, 5,  2,  12},
    {7,  13, 14, 3, 0,  6,  9,  10, 1,  2, 8, 5,  11, 12, 4,  15,
     13, 8,  11, 5, 6,  15, 0,  3,  4,  7, 2, 12, 1,  10, 14, 9,
     10, 6,  9,  0, 12, 11, 7,  13, 15, 1, 3, 14, 5,  2,  8,  4,
     3,  15, 0,  6, 10, 1,  13, 8,  9,  4, 5, 11, 12, 7,  2,  14},
    {2,  12, 4,  1,  7,  10, 11, 6,  8,  5,  3,  15, 13, 0, 14, 9,
     14, 11, 2,  12, 4,  7,  13, 1,  5,  0,  15, 10, 3,  9, 8,  6,
     4,  2,  1,  11, 10, 13, 7,  8,  15, 9,  12, 5,  6,  3, 0,  14,
     11, 8,  12, 7,  1,  14, 2,  13, 6,  15, 0,  9,  10, 4, 5,  3},
    {12, 1,  10, 15, 9, 2,  6,  8,  0,  13, 3,  4,  14, 7,  5,  11,
     10, 15, 4,  2,  7, 12, 9,  5,  6,  1,  13, 14, 0,  11, 3,  8,
     9,  14, 15, 5,  2, 8,  12, 3,  7,  0,  4,  10, 1,  13, 11, 6,
     4,  3,  2,  12, 9, 5,  15, 10, 11, 14, 1,  7,  6,  0,  8,  13},
    {4,  11, 2,  14, 15, 0, 8,  13, 3,  12, 9, 7,  5,  10, 6, 1,
     13, 0,  11, 7,  4,  9, 1,  10, 14, 3,  5, 12, 2,  15, 8, 6,
     1,  4,  11, 13, 12, 3, 7,  14, 10, 15, 6, 8,  0,  5,  9, 2,
     6,  11, 13, 8,  1,  4, 10, 7,  9,  5,  0, 15, 14, 2,  3, 12},
    {13, 2,  8,  4, 6,  15, 11, 1,  10, 9,  3,  14, 5,  0,  12, 7,
     1,  15, 13, 8, 10, 3,  7,  4,  12, 5,  6,  11, 0,  14, 9,  2,
     7,  11, 4,  1, 9,  12, 14, 2,  0,  6,  10, 13, 15, 3,  5,  8,
     2,  1,  14, 7, 4,  10, 8,  13, 15, 12, 9,  0,  3,  5,  6,  11},
};
static const uint8_t shifts[16] = {1, 1, 2, 2, 2, 2, 2, 2,
                                   1, 2, 2, 2, 2, 2, 2, 1};
static const uint8_t key[8] = {0x13, 0x34, 0x57, 0x79, 0x9B, 0xBC, 0xDF, 0xF1};

static uint8_t round_key[16][48];

static void unpack(uint8_t *bits, const uint8_t *bytes)
{
    for (int n = 0; n < 64; n++)
        bits[n] = bytes[n / 8] >> (7 - n % 8) & 1;
}

static void pack(uint8_t *bytes, const uint8_t *bits)
{
    memset(bytes, 0, 8);
    for (int n = 0; n < 64; n++)
        bytes[n / 8] |= (uint8_t)(bits[n] << (7 - n % 8));
}

static void select_bits(uint8_t *to, const uint8_t *from, const uint8_t *table,
                        int count)
{
    for (int n = 0; n < count; n++)
        to[n] = from[table[n] - 1];
}

static void turn(uint8_t *half)
{
    uint8_t first = half[0];

    memmove(half, half + 1, 27);
    half[27] = first;
}

static void make_round_keys(void)
{
    uint8_t bits[64], chosen[56];

    unpack(bits, key);
    select_bits(chosen, bits, choice_1, 56);
    for (int n = 0; n < 16; n++) {
        for (int shift = 0; shift < shifts[n]; shift++) {
            turn(chosen);
            turn(chosen + 28);
        }
        select_bits(round_key[n], chosen, choice_2, 48);
    }
}

static void substitute(uint8_t *to, const uint8_t *from)
{
    for (int n = 0; n < 8; n++, from += 6) {
        int row = from[0] << 1 | from[5];
        int column = from[1] << 3 | from[2] << 2 | from[3] << 1 | from[4];
        uint8_t value = box[n][row * 16 + column];

        for (int bit = 0; bit < 4; bit++)
            *to++ = value >> (3 - bit) & 1;
    }
}

/* left, right -> right, left ^ f(right) */
static void one_round(uint8_t *bits, const uint8_t *with)
{
    uint8_t wide[48], narrow[32], mixed[32];

    select_bits(wide, bits + 32, expansion, 48);
    for (int n = 0; n < 48; n++)
        wide[n] ^= with[n];
    substitute(narrow, wide);
    select_bits(mixed, narrow, permutation, 32);
    for (int n = 0; n < 32; n++) {
        uint8_t left = bits[n];

        bits[n] = bits[32 + n];
        bits[32 + n] = left ^ mixed[n];
    }
}

void des_rounds(uint8_t block[8], int from, int to, int encrypt)
{
    uint8_t bits[64], other[64];

    if (!round_key[0][0] && !memchr(round_key, 1, sizeof round_key))
        make_round_keys();
    unpack(bits, block);
    if (from == 0) {
        memcpy(other, bits, 64);
        select_bits(bits, other, initial, 64);
    }
    for (int n = from; n < to; n++)
        one_round(bits, round_key[encrypt ? n : 15 - n]);
    if (to == 16) {
        memcpy(other, bits + 32, 32);
        memcpy(other + 32, bits, 32);
        select_bits(bits, other, final, 64);
    }
    pack(block, bits);
}

int des_known_answer(void)
{
    static const uint8_t plain[8] = {1,    0x23, 0x45, 0x67,
                                     0x89, 0xAB, 0xCD, 0xEF};
    static const uint8_t cipher[8] = {0x85, 0xE8, 0x13, 0x54,
                                      0x0F, 0x0A, 0xB4, 0x05};
    uint8_t block[8];
    int wrong;

    memcpy(block, plain, 8);
    des_rounds(block, 0, 8, 1);
    des_rounds(block, 8, 16, 1);
    wrong = memcmp(block, cipher, 8);
    des_rounds(block, 0, 16, 0);
    wrong |= memcmp(block, plain, 8);
    puts(wrong ? "des: wrong" : "des: right");
    return wrong != 0;
}
