/* How a program ends that others of its job still count on. Hosted half. */
#ifndef SCC_END_H
#define SCC_END_H

#ifdef __cplusplus
extern "C" {
#endif

/* From now on, if the program ends without scc_unguard: `leaving` at its exit,
 * before files are closed; `died` in a deadly signal (its number) that has no
 * handler of the program's, with what a signal handler may do, before the
 * signal takes effect. One pair for each library. */
void scc_guard(void (*leaving)(void), void (*died)(int signal));
void scc_unguard(void (*leaving)(void));

#ifdef __cplusplus
}
#endif

#endif
