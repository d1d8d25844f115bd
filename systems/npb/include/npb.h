/*
 * npb.h: the common part of the NAS parallel benchmarks: random numbers, parts
 * of a range, the report [npb-1994, sections 2.2 and 2.3].
 */
#ifndef NPB_H
#define NPB_H

#include <stdbool.h>
#include <stdint.h>

/* The generator's factor, and its modulus as a mask: x' = 5^13 x mod 2^46. */
#define NPB_FACTOR 1220703125ull
#define NPB_MASK ((1ull << 46) - 1)

/* Returns the next number, between 0 and 1, of the sequence whose state is `x`,
 * and advances the state. */
static inline double npb_random(uint64_t *x)
{
    *x = *x * NPB_FACTOR & NPB_MASK;
    return (double)(int64_t)*x * 0x1p-46;
}

/* The generator's state after `steps` more numbers. */
uint64_t npb_jump(uint64_t x, uint64_t steps);

/* True if the difference of `ours` and `official`, relative to `official`, is
 * at most `epsilon`. */
bool npb_is_close(double ours, double official, double epsilon);

/* The first index of the part of core `me`, if `count` items are split over
 * `cores` cores; the first parts are larger by one if `count` leaves a rest. */
int npb_first(int count, int cores, int me);

/* Reads the class (a letter) from the program's first argument, default S. If
 * it is none of `classes`, prints an error message on core 0 and returns 0. */
char npb_class(int argc, char **argv, const char *classes);

/* Reads the number of iterations from the program's second argument, default
 * `all`. If it is not from 1 to `all`, prints an error message on core 0 and
 * returns 0. */
int npb_iterations(int argc, char **argv, int all);

/* Prints an error (`wrong`, unless NULL) on core 0. Returns the program's exit
 * code, 64. */
int npb_refuse(const char *program, const char *wrong);

/* Prints the result and the speed on core 0: `operations` operations of all
 * cores in `seconds` simulated seconds; `verified`: true if the result is
 * right. Returns the program's exit code: 0 if verified, otherwise 1. */
int npb_report(const char *name, char class, double operations, double seconds,
               bool verified);

/* Like npb_report for `count` of the `all` iterations: with fewer than all
 * there is no official result, so `residual` is printed instead of the
 * verification, and the exit code is 0. */
int npb_report_iterations(const char *name, char class, int count, int all,
                          double operations, double seconds, bool verified,
                          double residual);

#endif
