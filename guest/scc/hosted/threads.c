/*
 * threads.c: a program has no threads until a library says so.
 */
#include "scc/threads.h"

#include <stddef.h>

int (*scc_let_others_run)(void);
