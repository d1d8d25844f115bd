/*
 * bits/gnu_pthread.h: mutexes of other types without a call.
 */
#if defined _GNU_SOURCE || defined _BSD_SOURCE || defined _DEFAULT_SOURCE
#ifdef _GNU_SOURCE
#define PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP \
    {                                          \
        {                                      \
            {                                  \
                PTHREAD_MUTEX_RECURSIVE        \
            }                                  \
        }                                      \
    }
#define PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP \
    {                                           \
        {                                       \
            {                                   \
                PTHREAD_MUTEX_ERRORCHECK        \
            }                                   \
        }                                       \
    }
#define PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP PTHREAD_MUTEX_INITIALIZER
#define PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP \
    PTHREAD_RWLOCK_INITIALIZER
#define PTHREAD_MUTEX_FAST_NP PTHREAD_MUTEX_NORMAL
#define PTHREAD_MUTEX_TIMED_NP PTHREAD_MUTEX_NORMAL
#define PTHREAD_MUTEX_ADAPTIVE_NP PTHREAD_MUTEX_NORMAL
#define PTHREAD_MUTEX_RECURSIVE_NP PTHREAD_MUTEX_RECURSIVE
#define PTHREAD_MUTEX_ERRORCHECK_NP PTHREAD_MUTEX_ERRORCHECK
#endif
#endif
