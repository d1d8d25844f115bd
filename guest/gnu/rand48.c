/*
 * rand48.c: drand48_r() and its kin: x = a x + c modulo 2^48 (POSIX).
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define FACTOR 0x5DEECE66Du
#define TERM 11

static uint64_t step(unsigned short *x, struct drand48_data *data)
{
    uint64_t number;

    if (!data->set) {
        data->a = FACTOR;
        data->c = TERM;
        data->set = 1;
    }
    number = x[0] | (uint32_t)x[1] << 16 | (uint64_t)x[2] << 32;
    number = (number * data->a + data->c) & 0xFFFFFFFFFFFF;
    x[0] = (unsigned short)number;
    x[1] = (unsigned short)(number >> 16);
    x[2] = (unsigned short)(number >> 32);
    return number;
}

int erand48_r(unsigned short *x, struct drand48_data *data, double *result)
{
    *result = (double)step(x, data) * 0x1p-48;
    return 0;
}

int nrand48_r(unsigned short *x, struct drand48_data *data, long *result)
{
    *result = (long)(step(x, data) >> 17);
    return 0;
}

int jrand48_r(unsigned short *x, struct drand48_data *data, long *result)
{
    *result = (int32_t)(step(x, data) >> 16);
    return 0;
}

int drand48_r(struct drand48_data *data, double *result)
{
    return erand48_r(data->x, data, result);
}

int lrand48_r(struct drand48_data *data, long *result)
{
    return nrand48_r(data->x, data, result);
}

int mrand48_r(struct drand48_data *data, long *result)
{
    return jrand48_r(data->x, data, result);
}

int seed48_r(unsigned short *seed, struct drand48_data *data)
{
    memcpy(data->seed, data->x, sizeof data->x);
    memcpy(data->x, seed, sizeof data->x);
    data->a = FACTOR;
    data->c = TERM;
    data->set = 1;
    return 0;
}

int srand48_r(long seed, struct drand48_data *data)
{
    unsigned short x[] = {0x330E, (unsigned short)seed,
                          (unsigned short)((unsigned long)seed >> 16)};

    return seed48_r(x, data);
}

int lcong48_r(unsigned short *words, struct drand48_data *data)
{
    memcpy(data->x, words, sizeof data->x);
    data->a = words[3] | (uint32_t)words[4] << 16 | (uint64_t)words[5] << 32;
    data->c = words[6];
    data->set = 1;
    return 0;
}
