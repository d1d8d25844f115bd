/*
 * bits/gnu_stdlib.h: random numbers whose state is the caller's.
 */
#if defined _GNU_SOURCE || defined _BSD_SOURCE || defined _DEFAULT_SOURCE
#ifndef _BITS_GNU_STDLIB_H
#define _BITS_GNU_STDLIB_H
#ifdef __cplusplus
extern "C" {
#endif

struct random_data {
    int *state;
    int degree, distance, front, rear;
};

struct drand48_data {
    unsigned short x[3], seed[3], c, set;
    unsigned long long a;
};

int initstate_r(unsigned int, char *, size_t, struct random_data *);
int setstate_r(char *, struct random_data *);
int srandom_r(unsigned int, struct random_data *);
int random_r(struct random_data *, int *);

int srand48_r(long, struct drand48_data *);
int seed48_r(unsigned short *, struct drand48_data *);
int lcong48_r(unsigned short *, struct drand48_data *);
int drand48_r(struct drand48_data *, double *);
int erand48_r(unsigned short *, struct drand48_data *, double *);
int lrand48_r(struct drand48_data *, long *);
int nrand48_r(unsigned short *, struct drand48_data *, long *);
int mrand48_r(struct drand48_data *, long *);
int jrand48_r(unsigned short *, struct drand48_data *, long *);

#ifdef __cplusplus
}
#endif
#endif
#endif
