/*
 * bits/gnu_termios.h: the control characters of a terminal.
 */
#if defined _GNU_SOURCE || defined _BSD_SOURCE || defined _DEFAULT_SOURCE
#include <sys/ttydefaults.h>
#endif
