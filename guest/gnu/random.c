/*
 * random.c: random_r() and its kin.
 *
 * Knuth's additive generator (The Art of Computer Programming, volume 2,
 * 3.2.2): each number is the sum of two earlier ones. The first ones come from
 * the generator of Lewis, Goodman and Miller (16807 modulo 2^31 - 1).
 */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

#define TURNS 10 /* of the whole state, before the first number */

/* The state's first word says which of these it is, and where its front is. */
static const struct kind {
    size_t bytes;
    int degree, distance;
} kinds[] = {{8, 0, 0}, {32, 7, 3}, {64, 15, 1}, {128, 31, 3}, {256, 63, 1}};

#define KINDS ((int)(sizeof kinds / sizeof *kinds))

static int refused(void)
{
    errno = EINVAL;
    return -1;
}

static int next(int number)
{
    int64_t product = (int64_t)number * 16807 % 0x7FFFFFFF;

    return (int)(product < 0 ? product + 0x7FFFFFFF : product);
}

int random_r(struct random_data *data, int *result)
{
    if (!data || !result || !data->state)
        return refused();
    if (!data->degree) {
        data->state[0] =
            (int)(((uint32_t)data->state[0] * 1103515245 + 12345) & 0x7FFFFFFF);
        *result = data->state[0];
        return 0;
    }
    data->state[data->front] = (int)((uint32_t)data->state[data->front] +
                                     (uint32_t)data->state[data->rear]);
    *result = (int)((uint32_t)data->state[data->front] >> 1);
    data->front = (data->front + 1) % data->degree;
    data->rear = (data->rear + 1) % data->degree;
    return 0;
}

int srandom_r(unsigned int seed, struct random_data *data)
{
    int unused;

    if (!data || !data->state)
        return refused();
    data->state[0] = seed ? (int)seed : 1;
    for (int i = 1; i < data->degree; i++)
        data->state[i] = next(data->state[i - 1]);
    data->front = data->distance;
    data->rear = 0;
    for (int i = 0; i < TURNS * data->degree; i++)
        random_r(data, &unused);
    return 0;
}

/* What setstate_r() needs to go on with a state that is left. */
static void leave(const struct random_data *data)
{
    int kind = 0;

    while (kinds[kind].degree != data->degree)
        kind++;
    data->state[-1] = data->front * KINDS + kind;
}

int initstate_r(unsigned int seed, char *state, size_t bytes,
                struct random_data *data)
{
    int kind = KINDS - 1;

    if (!data || !state || bytes < kinds[0].bytes)
        return refused();
    if (data->state)
        leave(data);
    while (kinds[kind].bytes > bytes)
        kind--;
    data->state = (int *)(void *)state + 1;
    data->degree = kinds[kind].degree;
    data->distance = kinds[kind].distance;
    srandom_r(seed, data);
    leave(data);
    return 0;
}

int setstate_r(char *state, struct random_data *data)
{
    int *words = (int *)(void *)state;

    if (!data || !state || words[0] < 0)
        return refused();
    if (data->state)
        leave(data);
    data->state = words + 1;
    data->degree = kinds[words[0] % KINDS].degree;
    data->distance = kinds[words[0] % KINDS].distance;
    data->front = words[0] / KINDS;
    data->rear = data->degree ? (data->front + data->degree - data->distance) %
                                    data->degree
                              : 0;
    return 0;
}
