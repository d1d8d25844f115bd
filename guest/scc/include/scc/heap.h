/* What every heap says of a program's mistakes. Hosted half. */
#ifndef SCC_HEAP_H
#define SCC_HEAP_H

#ifdef __cplusplus
extern "C" {
#endif

/* Says `what` ("free(): double free\n") and ends the program by SIGABRT. The
 * environment's MALLOC_CHECK_ chooses as it did for GNU's library: bit 0 to
 * say it, bit 1 to end. Returns if the program goes on: nothing was freed. */
void scc_heap_misused(const char *what);

#ifdef __cplusplus
}
#endif

#endif
