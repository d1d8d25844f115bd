// Processor time of processes: a child begins with none, its parent learns it by wait, and a wait
// for a child is no work.
// run: --kernel l4 --cores 3
// expect-stdout:
// a child: begins with 0, used 30
// its parent: used 0, by wait4 30, children 30, ticks of children 3
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/times.h>
#include <sys/wait.h>
#include <time.h>

#include "children.h"

static int ms(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (int)(t.tv_sec * 1000 + t.tv_nsec / 1000000);
}

static int of(struct rusage usage)
{
    return (int)(usage.ru_utime.tv_usec / 1000) / 5 * 5;
}

static int work(void)
{
    int began = ms();

    usleep(20000);
    while (ms() < 32) {
    }
    printf("a child: begins with %d, used %d\n", began / 5 * 5, ms() / 5 * 5);
    fflush(stdout);
    return 0;
}

int main(void)
{
    struct rusage by_wait, children;
    struct tms tms;
    int before, after, status;
    pid_t child = start(work);

    before = ms();
    check(wait4(child, &status, 0, &by_wait) == child, "wait4");
    after = ms();
    getrusage(RUSAGE_CHILDREN, &children);
    times(&tms);
    printf("its parent: used %d, by wait4 %d, children %d, ticks of children "
           "%d\n",
           (after - before) / 5 * 5, of(by_wait), of(children),
           (int)tms.tms_cutime);
    return 0;
}
