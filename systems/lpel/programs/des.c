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

static void text(uint8_t *to, uint32_t number)
{
    static const char line[] = "The cores of the chip share no cache. ";

    for (uint32_t n = 0; n < sizeof scratch; n++)
        to[n] = (uint8_t)line[(n + number) % (sizeof line - 1)];
}

static void fill(void *data, uint32_t number)
{
    text(scratch, number);
    farm_copy(data, scratch, sizeof scratch);
}

/* Which text the first and the last block are, decrypted. */
static uint32_t sum(const void *data)
{
    static uint8_t plain[sizeof scratch] __attribute__((aligned(8)));
    const size_t last = sizeof scratch - 8;

    farm_copy(scratch, data, sizeof scratch);
    des_rounds(scratch, 0, 16, 0);
    des_rounds(scratch + last, 0, 16, 0);
    for (uint32_t number = 0; number < 38; number++) {
        text(plain, number);
        if (!memcmp(scratch, plain, 8) &&
            !memcmp(scratch + last, plain + last, 8))
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
