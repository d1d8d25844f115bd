/* The hook of a threads library for libraries that wait. Hosted half. */
#ifndef SCC_THREADS_H
#define SCC_THREADS_H

#ifdef __cplusplus
extern "C" {
#endif

/* Set by a threads library: lets other threads of this core run; returns false
 * if there are none. NULL: the program has no threads. Called before each check
 * of a wait; the waiting library may be called again meanwhile. */
extern int (*scc_let_others_run)(void);

#ifdef __cplusplus
}
#endif

#endif
