// init.c: the first program of a Linux on a core of the chip. It has no more than the kernel gives:
// what it finds goes into the kernel's log, and so to the serial port.
#include <fcntl.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/reboot.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int log_file;
static sigjmp_buf back;
static volatile sig_atomic_t alarms;

static void tell(const char *format, ...)
{
    char text[200];
    va_list arguments;

    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (write(log_file, text, (size_t)length) != length)
        reboot(RB_HALT_SYSTEM);
}

static void on_fault(int number)
{
    siglongjmp(back, number);
}

static void on_alarm(int number)
{
    (void)number;
    alarms++;
}

// Two children compute side by side; the kernel switches tasks and x87 state.
static int children(void)
{
    int good = 0;

    for (int child = 0; child < 2; child++)
        if (fork() == 0) {
            double sum = 0;
            for (int n = 1; n <= 100000; n++)
                sum += 1.0 / n;
            _exit(fabs(sum - 12.090146129863428) < 1e-9 ? 7 : 1);
        }
    for (int child = 0; child < 2; child++) {
        int status;
        wait(&status);
        good += WIFEXITED(status) && WEXITSTATUS(status) == 7;
    }
    return good;
}

int main(void)
{
    struct utsname name;
    struct timespec tenth = {0, 30000000};

    log_file = open("/dev/kmsg", O_WRONLY);
    uname(&name);
    tell("init: %s on %s, process %d\n", name.sysname, name.machine,
         (int)getpid());

    char *memory = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memset(memory, 0x5A, 1 << 20);
    int pair[2], zeros = 0;
    if (pipe(pair) == 0 && write(pair[1], memory, 4096) == 4096)
        zeros = (int)read(pair[0], memory + 8192, 4096);
    tell("init: a pipe carried %d bytes\n", zeros);

    signal(SIGSEGV, on_fault);
    int number = sigsetjmp(back, 1);
    if (number == 0) {
        mprotect(memory, 4096, PROT_READ);
        *(volatile char *)memory = 1;
    }
    tell("init: signal %d for a write to a read-only page\n", number);
    signal(SIGFPE, on_fault);
    number = sigsetjmp(back, 1);
    if (number == 0) {
        volatile int one = 1, zero = 0;
        zero = one / zero;
    }
    tell("init: signal %d for a division by zero\n", number);

    tell("init: %d of 2 children are right\n", children());
    signal(SIGALRM, on_alarm);
    ualarm(20000, 0);
    while (alarms == 0)
        ;
    nanosleep(&tenth, NULL);
    tell("init: an alarm ended a loop, sqrt(2) is %.15f\n", sqrt(2.0));
    tell("init: all is well\n");
    reboot(RB_HALT_SYSTEM);
    return 0;
}
