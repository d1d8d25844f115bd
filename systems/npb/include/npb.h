/*
 * npb.h: what the NAS parallel benchmarks share: random numbers, parts of a
 * range, the report [npb-1994, sections 2.2 and 2.3].
 */
#ifndef NPB_H
#define NPB_H

#include <stdbool.h>
#include <stdint.h>

/* The generator's factor, and its modulus as a mask: x' = 5^13 x mod 2^46. */
#define NPB_FACTOR 1220703125ull
#define NPB_MASK ((1ull << 46) - 1)

/* The next number of the sequence at `x`, in (0, 1). */
static inline double npb_random(uint64_t *x)
{
    *x = *x * NPB_FACTOR & NPB_MASK;
    return (double)(int64_t)*x * 0x1p-46;
}

/* The generator's state after `steps` more numbers. */
uint64_t npb_jump(uint64_t x, uint64_t steps);

/* True if `ours` is within `epsilon` of `official`, relatively. */
bool npb_is_close(double ours, double official, double epsilon);

/* The first index of core `me`'s part of `count`, split over `cores` cores; the
 * sizes of parts differ by one at most. */
int npb_first(int count, int cores, int me);

/* The class in the program's first argument, default S; 0 after an error
 * message if it is none of `classes`. */
char npb_class(int argc, char **argv, const char *classes);

/* The iterations in the program's second argument, default `all`; 0 after an
 * error message if they are not from 1 to `all`. */
int npb_iterations(int argc, char **argv, int all);

/* Prints on core 0 what is wrong, once. Returns the exit code. */
int npb_refuse(const char *program, const char *wrong);

/* Prints result and speed on core 0: `operations` in `seconds`. Returns the
 * exit code. */
int npb_report(const char *name, char class, double operations, double seconds,
               bool verified);

/* Reports `count` of the `all` iterations: fewer than all have no official
 * result, so `residual` is printed instead. */
int npb_report_iterations(const char *name, char class, int count, int all,
                          double operations, double seconds, bool verified,
                          double residual);

#endif
