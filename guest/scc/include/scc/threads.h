/* What a library that waits knows of threads that take turns on its core.
 * Hosted half. */
#ifndef SCC_THREADS_H
#define SCC_THREADS_H

#ifdef __cplusplus
extern "C" {
#endif

/* Set by a library of threads: lets others of this core run; false if there
 * are none. NULL: the program has no threads. Called before each look of a
 * wait, where the library that waits may be entered anew. */
extern int (*scc_let_others_run)(void);

#ifdef __cplusplus
}
#endif

#endif
