/*
 * bits/gnu_wait.h: which processes, and how a status is made.
 */
#if defined _GNU_SOURCE || defined _BSD_SOURCE || defined _DEFAULT_SOURCE
#define WAIT_ANY (-1)
#define WAIT_MYPGRP 0
#define WCOREFLAG 0x80
#define W_EXITCODE(code, signal) ((code) << 8 | (signal))
#define W_STOPCODE(signal) ((signal) << 8 | 0x7f)
#endif
