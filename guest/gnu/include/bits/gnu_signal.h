/*
 * bits/gnu_signal.h: old names of signals and their flags, and masks of 32 signals.
 */
#if defined _GNU_SOURCE || defined _BSD_SOURCE || defined _DEFAULT_SOURCE
#define SIGCLD SIGCHLD
#define SA_INTERRUPT 0x20000000
#define SA_STACK SA_ONSTACK
#define sigmask(signal) ((int)(1u << ((signal) - 1)))
#ifdef __cplusplus
extern "C" {
#endif
int sigblock(int);
int sigsetmask(int);
int siggetmask(void);
#ifdef __cplusplus
}
#endif
#endif
