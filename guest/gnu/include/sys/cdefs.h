/*
 * sys/cdefs.h: the macros in which headers of BSD and GNU systems are written.
 */
#ifndef _SYS_CDEFS_H
#define _SYS_CDEFS_H

#ifdef __cplusplus
#define __BEGIN_DECLS extern "C" {
#define __END_DECLS }
#else
#define __BEGIN_DECLS
#define __END_DECLS
#endif

#ifndef __P
#define __P(parameters) parameters
#endif
#ifndef __CONCAT
#define __CONCAT(a, b) a##b
#endif
#ifndef __STRING
#define __STRING(a) #a
#endif
#ifndef __THROW
#if defined __cplusplus && __cplusplus >= 201103L
#define __THROW noexcept(true)
#elif defined __cplusplus
#define __THROW throw()
#else
#define __THROW __attribute__((__nothrow__))
#endif
#endif
#define __ptr_t void *
#define __long_double_t long double

#endif
