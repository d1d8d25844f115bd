// Names of BSD, System V and older versions of GNU's library.
// cc: -O1 -w -pthread -std=gnu89 -D_GNU_SOURCE -lm
// run: -n 1 --tag none
// expect-stdout:
// No such file or directory Interrupt 1
// blocked 0, then 1
// x 1 -1 8
// 1 1023 80000
// 0 0 0
// 35 0
// 777 7777 666 100 4096
// 1 1 2 300
// abc 2 255 1 / 4
// 3.14159265358979324
#include <errno.h>
#include <fcntl.h>
#include <ieee754.h>
#include <libintl.h>
#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/bitypes.h>
#include <sys/param.h>
#include <sys/resource.h>
#include <sys/socketvar.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <termio.h>
#include <unistd.h>

extern char *sys_errlist[], *sys_siglist[];
extern int sys_nerr;
static int got;
static pthread_mutex_t again = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_mutex_t checked = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static pthread_mutex_t plain = PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP;

handle(signal) int signal;
{
    got++;
}

static void signals(void)
{
    int mask = sigblock(sigmask(SIGUSR1));

    signal(SIGUSR1, handle);
    kill(getpid(), SIGUSR1);
    printf("blocked %d, then ", got + (siggetmask() != sigmask(SIGUSR1)));
    sigsetmask(mask);
    printf("%d\n", got);
}

static void mutexes(void)
{
    int first = pthread_mutex_lock(&again), second = pthread_mutex_lock(&again);

    printf("%d %d %d\n", first, second, pthread_mutex_unlock(&again));
    pthread_mutex_lock(&checked);
    printf("%d ", pthread_mutex_lock(&checked));
    printf("%d\n", pthread_mutex_lock(&plain));
}

main()
{
    struct termio terminal;
    union ieee754_double number;
    char letter, path[MAXPATHLEN];
    int ends[2];

    printf("%s %s %d\n", sys_errlist[ENOENT], sys_siglist[SIGINT],
           sys_nerr > 100 && getwd(path) == path && *path == '/');
    signals();
    pipe(ends);
    TEMP_FAILURE_RETRY(write(ends[1], "x", 1));
    TEMP_FAILURE_RETRY(read(ends[0], &letter, 1));
    printf("%c 1 %d %d\n", letter, ioctl(ends[0], TCGETA, &terminal), NCC);
    number.d = -1.5;
    printf("%d %d %x\n", number.ieee.negative, number.ieee.exponent,
           number.ieee.mantissa0);
    mutexes();
    printf("%o %o %o %d %d\n", ACCESSPERMS, ALLPERMS, DEFFILEMODE, HZ,
           EXEC_PAGESIZE);
    printf("%d %d %d %x\n", SIGCLD == SIGCHLD, SA_STACK == SA_ONSTACK,
           sigmask(SIGINT), W_EXITCODE(3, 0));
    printf("%s %d %d %d / %d\n", strndupa("abcdef", 3), LOCK_EX, MAX_CANON,
           RLIMIT_OFILE == RLIMIT_NOFILE, CTRL('d'));
    setlocale(LC_ALL, "C"); /* locale.h by libintl.h */
    printf("%.18Lg\n", M_PIl);
    return 0;
}
