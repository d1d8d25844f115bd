/*
 * Mistakes with memory, one on each core: core n makes the nth. With MENDED
 * nobody makes any. A comment behind the line that errs says what must be
 * found there.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "RCCE.h"

#ifdef MENDED
#define WRONG(wrong, right) right
#else
#define WRONG(wrong, right) wrong
#endif

/* The compiler must not see what these do. */
static void *volatile hidden;
static volatile int sum;

static void *hide(void *block)
{
    hidden = block;
    return hidden;
}

static char *bytes(size_t size)
{
    return hide(malloc(size));
}

static void write_behind(void)
{
    char *block = bytes(10);

    block[WRONG(10, 9)] = 1; /* 0 beyond-block */
    free(block);
}

static void read_behind(void)
{
    char *block = hide(calloc(10, 1));

    sum += block[WRONG(12, 9)]; /* 1 beyond-block */
    free(block);
}

static void write_before(void)
{
    int *block = hide(malloc(40));

    block[WRONG(-1, 0)] = 1; /* 2 beyond-block */
    free(WRONG(NULL, block));
}

static void half_behind(void)
{
    char *block = bytes(6);

    *(volatile int *)(void *)(block + WRONG(4, 0)) = 1; /* 3 beyond-block */
    free(block);
}

static void loop_too_far(void)
{
    int *block = hide(malloc(7 * sizeof *block));

    for (int i = 0; i < WRONG(8, 7); i++)
        block[i] = i; /* 4 beyond-block */
    free(block);
}

static void string_without_its_end(void)
{
    const char *text = "seventeen letters";
    char *copy = bytes(strlen(text) + WRONG(0, 1));

    strcpy(copy, text); /* 5 beyond-block */
    free(copy);
}

static void copy_too_much(void)
{
    char from[64] = "a", *to = bytes(40);

    memcpy(to, from, (size_t)WRONG(44, 40)); /* 6 beyond-block */
    free(to);
}

static void set_too_much(void)
{
    char *block = bytes(33);

    memset(block, 0, (size_t)WRONG(34, 33)); /* 7 beyond-block */
    free(block);
}

static void print_too_much(void)
{
    char *text = bytes(12);
    const char *words = WRONG("twelve letter", "eleven left");

    snprintf(text, 20, "%s", words); /* 8 beyond-block */
    free(text);
}

static void far_behind(void)
{
    char *block = bytes(24);

    block[WRONG(4000, 23)] = 1; /* 9 beyond-block */
    free(block);
}

static void behind_a_large_one(void)
{
    char *block = bytes(100000);

    block[WRONG(100001, 99999)] = 1; /* 10 beyond-block */
    free(block);
}

static void behind_what_was_cut(void)
{
    char *block = hide(realloc(bytes(60), 41));

    block[WRONG(41, 40)] = 1; /* 11 beyond-block */
    free(block);
}

static void behind_what_is_aligned(void)
{
    char *block = hide(aligned_alloc(64, 64));

    block[WRONG(-3, 3)] = 1; /* 12 beyond-block */
    free(block);
}

static void nothing_was_asked_for(void)
{
    char *block = bytes((size_t)WRONG(0, 1));

    block[0] = 1; /* 13 beyond-block */
    free(block);
}

static void read_after_free(void)
{
    int *block = hide(calloc(4, sizeof *block));

    WRONG(free(block), sum++);
    sum += block[2]; /* 14 use-after-free */
    WRONG(sum++, free(block));
}

static void write_after_free(void)
{
    char *block = bytes(100);

    WRONG(free(block), sum++);
    block[99] = 1; /* 15 use-after-free */
    WRONG(sum++, free(block));
}

struct node {
    struct node *next;
};

static void walk_while_freeing(void)
{
    struct node *list = NULL, *next;

    for (int i = 0; i < 3; i++) {
        struct node *node = hide(malloc(sizeof *node));

        node->next = list;
        list = node;
    }
    for (; list; list = WRONG(list->next, next)) { /* 16 use-after-free */
        next = list->next;
        free(list);
    }
}

static void old_address_after_realloc(void)
{
    char *block = bytes(20), *more = hide(realloc(block, 2000));

    WRONG(block, more)[3] = 1; /* 17 use-after-free */
    free(more);
}

static void copy_from_freed(void)
{
    char *text = bytes(20);
    char copy[20];

    strcpy(text, "a text");
    WRONG(free(text), sum++);
    strcpy(copy, text); /* 18 use-after-free */
    WRONG(sum++, free(text));
    sum += copy[0];
}

static void freed_twice(void)
{
    char *block = bytes(48);

    free(block);
    WRONG(free(hidden), sum++); /* 19 double-free */
}

static void freed_twice_between(void)
{
    char *block = bytes(48), *other = hide(malloc(48));

    free(block);
    free(other);
    WRONG(free(block), sum++); /* 20 double-free */
}

static void freed_by_realloc(void)
{
    char *block = bytes(8), *more = hide(realloc(block, 800));

    WRONG(free(block), sum++); /* 21 double-free */
    free(more);
}

static void freed_within(void)
{
    char *block = bytes(32);

    block++;
    free(block - WRONG(0, 1)); /* 22 bad-free */
}

static void freed_what_is_not_of_the_heap(void)
{
    static char variable[64] __attribute__((aligned(16)));
    char *block = bytes(16);

    memset(variable, 0, sizeof variable);
    free(WRONG((char *)hide(variable + 16), block)); /* 23 bad-free */
    WRONG(free(block), sum++);
}

static void lost_in_a_loop(void)
{
    for (int i = 0; i < 5; i++) {
        char *block = malloc(30); /* 24 leak */

        hide(block);
        WRONG(sum++, free(block));
    }
    hidden = NULL;
}

static void lost_with_its_head(void)
{
    struct node *head = hide(malloc(sizeof *head));

    head->next = malloc(sizeof *head); /* 25 leak */
    head->next->next = NULL;
    WRONG(sum++, free(head->next));
    free(head);
    hidden = NULL;
}

static void behind_what_posix_aligned(void)
{
    void *block = NULL;

    if (posix_memalign(&block, 32, 50))
        return;
    ((char *)block)[WRONG(51, 49)] = 1; /* 26 beyond-block */
    free(block);
}

/* clang-format off */
static void (*const faults[])(void) = {
    write_behind, read_behind, write_before, half_behind, loop_too_far,
    string_without_its_end, copy_too_much, set_too_much, print_too_much,
    far_behind, behind_a_large_one, behind_what_was_cut, behind_what_is_aligned,
    nothing_was_asked_for, read_after_free, write_after_free,
    walk_while_freeing, old_address_after_realloc, copy_from_freed, freed_twice,
    freed_twice_between, freed_by_realloc, freed_within,
    freed_what_is_not_of_the_heap, lost_in_a_loop, lost_with_its_head,
    behind_what_posix_aligned,
};
/* clang-format on */

int main(int argc, char **argv)
{
    RCCE_init(&argc, &argv);
    faults[RCCE_ue()]();
    RCCE_finalize();
    return 0;
}
