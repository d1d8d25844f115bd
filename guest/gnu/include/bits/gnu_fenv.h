/*
 * bits/gnu_fenv.h: which exceptions of floating point raise SIGFPE.
 */
#ifdef _GNU_SOURCE
#ifdef __cplusplus
extern "C" {
#endif
/* Returns the exceptions that did before, or -1. */
int feenableexcept(int exceptions);
int fedisableexcept(int exceptions);
int fegetexcept(void);
#ifdef __cplusplus
}
#endif
#endif
