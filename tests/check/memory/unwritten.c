/*
 * Values that were never written, and pointers that leave their block, one on
 * each core: core n makes the nth mistake. With MENDED nobody makes any. A
 * comment behind the line that errs says what must be found there.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "RCCE.h"

#ifdef MENDED
#define MENDED_ONLY(action) action
#define WRONG(wrong, right) right
#else
#define MENDED_ONLY(action)
#define WRONG(wrong, right) wrong
#endif
#define APART __attribute__((noinline))

/* The compiler must not see what these do. */
static void *volatile hidden;
static volatile int result;
static volatile double factor = 1.5;

static void *hide(void *block)
{
    hidden = block;
    return hidden;
}

static void branch_on_block(void)
{
    int *block = hide(malloc(40));

    MENDED_ONLY(block[5] = 1);
    if (block[5] > 3) /* 0 unwritten */
        result++;
    free(block);
}

static void branch_on_byte(void)
{
    char *text = hide(malloc(8));

    memcpy(text, "rock", WRONG(4, 5));
    if (strlen(text) > 6) /* 1 unwritten */
        result++;
    free(text);
}

static void branch_on_copy(void)
{
    int *from = hide(malloc(64)), *to = hide(malloc(64));

    memset(from, 0, WRONG(32, 64));
    memcpy(to, from, 64);
    for (int i = 0; i < 16; i++)
        if (to[i] == 7) /* 2 unwritten */
            result++;
    free(from);
    free(to);
}

APART static int sum(const int *numbers, int count)
{
    int all = 0;

    for (int i = 0; i < count; i++)
        all += numbers[i] * 3;
    return all;
}

static void branch_on_sum(void)
{
    int *numbers = hide(malloc(10 * sizeof *numbers));

    for (int i = 0; i < WRONG(9, 10); i++)
        numbers[i] = i;
    if (sum(numbers, 10) > 100) /* 3 unwritten */
        result++;
    free(numbers);
}

static void branch_on_float(void)
{
    double *block = hide(malloc(3 * sizeof *block));

    block[0] = block[1] = factor;
    MENDED_ONLY(block[2] = factor);
    if (block[0] + block[1] * block[2] > 2.5) /* 4 unwritten */
        result++;
    free(block);
}

APART static void set_if(int *place, int is_set)
{
    if (is_set)
        *place = 1;
}

static void branch_on_stack(void)
{
    int local WRONG(, = 0);

    set_if(&local, result > 1000);
    if (local) /* 5 unwritten */
        result++;
}

static void address(void)
{
    int *table = hide(calloc(256, sizeof *table));
    unsigned char *index = hide(malloc(4));

    MENDED_ONLY(index[2] = 9);
    result = table[index[2]]; /* 6 unwritten */
    free(index);
    free(table);
}

static void system_call(void)
{
    char *text = hide(malloc(16));

    memset(text, '.', WRONG(8, 15));
    text[15] = '\n';
    result = (int)write(1, text, 16); /* 7 unwritten */
    free(text);
}

static void printed(void)
{
    int *block = hide(malloc(sizeof *block));

    MENDED_ONLY(*block = 3);
    printf("%d\n", *block); /* 8 unwritten */
    free(block);
}

static void grown(void)
{
    int *block = hide(malloc(16));

    memset(block, 0, 16);
    block = hide(realloc(block, 4000));
    MENDED_ONLY(memset(block, 0, 4000));
    if (block[3] + block[900]) /* 9 unwritten */
        result++;
    free(block);
}

static void neighbour(void)
{
    int *first = hide(malloc(100)), *blocks[64];

    for (int i = 0; i < 64; i++) {
        blocks[i] = hide(malloc(100));
        memset(blocks[i], 0, 100);
    }
    first[WRONG(32 + result, 24)] = 1; /* 10 beyond-block */
    for (int i = 0; i < 64; i++)
        free(blocks[i]);
    free(first);
}

static void copied_too_far(void)
{
    char *from = hide(calloc(300, 1)), *to = hide(calloc(100, 1));
    char *other = hide(calloc(100, 1));

    memcpy(to, from, (size_t)WRONG(300, 100)); /* 11 beyond-block */
    result = other[0];
    free(other);
    free(to);
    free(from);
}

static void used_again(void)
{
    int *block = hide(malloc(48)), *next;

    free(block);
    next = malloc(48);
    memset(hide(next), 0, 48);
    WRONG(block, next)[3] = 1; /* 12 use-after-free */
    free(next);
}

struct padded {
    char letter;
    int number;
    unsigned low : 3, high : 5;
};

/* Copies of padding, bit fields and masks are no uses. */
static void silent(void)
{
    struct padded *block = hide(malloc(sizeof *block)), copy;

    block->letter = 'a';
    block->number = 3;
    block->low = 2;
    copy = *block;
    *block = copy;
    if (block->letter == 'a' && block->number == 3 && block->low == 2)
        result++;
    free(block);
}

int RCCE_APP(int argc, char **argv)
{
    static void (*const all[])(void) = {
        branch_on_block, branch_on_byte,  branch_on_copy, branch_on_sum,
        branch_on_float, branch_on_stack, address,        system_call,
        printed,         grown,           neighbour,      copied_too_far,
        used_again,
    };

    RCCE_init(&argc, &argv);
    silent();
    result = 0;
    all[RCCE_ue()]();
    RCCE_finalize();
    return 0;
}
