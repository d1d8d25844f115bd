/*
 * suite.h: each program of the suite is one of its own, or a function of one
 * program that runs them all (-DSUITE), so that it is linked once.
 */
#ifndef SUITE_H
#define SUITE_H

#ifdef SUITE
#define PROGRAM(name)       \
    int suite_##name(void); \
    int suite_##name(void)
#else
#define PROGRAM(name) int main(void)
#endif

#endif
