/* The end of a program that other cores of its job still depend on. Hosted
 * half. */
#ifndef SCC_END_H
#define SCC_END_H

#ifdef __cplusplus
extern "C" {
#endif

/* Registers a library's functions for the end of the program, until
 * scc_unguard. `leaving` is called at exit, before files are closed. `died` is
 * called in a deadly signal (its number) without a handler of the program's,
 * before the signal takes effect; it may do only what a signal handler may. One
 * pair for each library. */
void scc_guard(void (*leaving)(void), void (*died)(int signal));
void scc_unguard(void (*leaving)(void));

#ifdef __cplusplus
}
#endif

#endif
