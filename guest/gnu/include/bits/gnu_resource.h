/*
 * bits/gnu_resource.h: an old name, and the usage of a thread.
 */
#if defined _GNU_SOURCE || defined _BSD_SOURCE || defined _DEFAULT_SOURCE
#define RLIMIT_OFILE RLIMIT_NOFILE
#ifdef RUSAGE_THREAD
#define RUSAGE_LWP RUSAGE_THREAD
#endif
#endif
