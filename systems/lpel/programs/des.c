/*
 * des.c: 2 kB a message: text encrypted by DES in the way that the standard
 * is written, bit by bit (FIPS 46-3). Two stages of eight rounds. The sink
 * knows the text of each message and decrypts what came.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "des.h"
#include "farm.h"

#define BLOCKS 256

static uint8_t scratch[BLOCKS * 8] __attribute__((aligned(8)));

static void first_rounds(void *data)
{
    farm_copy(scratch, data, sizeof scratch);
    for (int n = 0; n < BLOCKS; n++)
        des_rounds(scratch + 8 * n, 0, 8, 1);
    farm_copy(data, scratch, sizeof scratch);
}

static void last_rounds(void *data)
{
    farm_copy(scratch, data, sizeof scratch);
    for (int n = 0; n < BLOCKS; n++)
        des_rounds(scratch + 8 * n, 8, 16, 1);
    farm_copy(data, scratch, sizeof scratch);
}

/* `bytes` of a message's text, from a place in it on. */
static void text(uint8_t *to, uint32_t number, size_t from, size_t bytes)
{
    static const char line[] = "The cores of the chip share no cache. ";

    for (size_t n = 0; n < bytes; n++)
        to[n] = (uint8_t)line[(from + n + number) % (sizeof line - 1)];
}

static void fill(void *data, uint32_t number)
{
    text(scratch, number, 0, sizeof scratch);
    farm_copy(data, scratch, sizeof scratch);
}

/* Which text the first and the last block are, decrypted. */
static uint32_t sum(const void *data)
{
    const size_t last = sizeof scratch - 8;

    farm_copy(scratch, data, sizeof scratch);
    des_rounds(scratch, 0, 16, 0);
    des_rounds(scratch + last, 0, 16, 0);
    for (uint32_t number = 0; number < 38; number++) {
        uint8_t first_block[8], last_block[8];

        text(first_block, number, 0, 8);
        text(last_block, number, last, 8);
        if (!memcmp(scratch, first_block, 8) &&
            !memcmp(scratch + last, last_block, 8))
            return number + 1;
    }
    return 1000000;
}

static const struct farm des = {
    .name = "des",
    .bytes = sizeof scratch,
    .private = 1,
    .stage = {{"first rounds", first_rounds}, {"last rounds", last_rounds}},
    .fill = fill,
    .sum = sum,
};

int main(int argc, char **argv)
{
    if (argc > 1 && !strcmp(argv[1], "vector"))
        return des_known_answer();
    return farm_main(argc, argv, &des);
}
