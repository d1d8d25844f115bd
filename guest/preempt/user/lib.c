/*
 * lib.c: system calls as functions, and print().
 */
#include "user.h"

#include <stdarg.h>

extern void signal_restorer(void);

void exit(int status)
{
    for (;;)
        system_call(SYS_EXIT, status, 0, 0);
}

int fork(void)
{
    return system_call(SYS_FORK, 0, 0, 0);
}

int exec(const char *name, const char *argument)
{
    return system_call(SYS_EXEC, (int)name, (int)argument, 0);
}

int wait(int *status)
{
    return system_call(SYS_WAIT, (int)status, 0, 0);
}

int getpid(void)
{
    return system_call(SYS_PID, 0, 0, 0);
}

int read(int file, void *buffer, int bytes)
{
    return system_call(SYS_READ, file, (int)buffer, bytes);
}

int write(int file, const void *buffer, int bytes)
{
    return system_call(SYS_WRITE, file, (int)buffer, bytes);
}

int pipe(int pair[2])
{
    return system_call(SYS_PIPE, (int)pair, 0, 0);
}

int close(int file)
{
    return system_call(SYS_CLOSE, file, 0, 0);
}

int sleep(int duration)
{
    return system_call(SYS_SLEEP, duration, 0, 0);
}

int pause(void)
{
    return system_call(SYS_PAUSE, 0, 0, 0);
}

int kill(int pid, int number)
{
    return system_call(SYS_KILL, pid, number, 0);
}

int on_signal(int number, handler *handler)
{
    return system_call(SYS_SIGNAL, number, (int)handler, (int)signal_restorer);
}

int alarm(int duration)
{
    return system_call(SYS_ALARM, duration, 0, 0);
}

int frames(void)
{
    return system_call(SYS_FRAMES, 0, 0, 0);
}

int ticks(void)
{
    return system_call(SYS_TICKS, 0, 0, 0);
}

/* The kernel has put the number between the restorer and the rest. */
struct signal_frame *frame_of(int *number)
{
    return (struct signal_frame *)(number - 1);
}

static char *put_number(char *to, unsigned value, unsigned base)
{
    if (value >= base)
        to = put_number(to, value / base, base);
    *to++ = "0123456789abcdef"[value % base];
    return to;
}

static char *put_string(char *to, const char *text)
{
    while (*text)
        *to++ = *text++;
    return to;
}

void print(const char *format, ...)
{
    char line[160], *to = line;
    va_list arguments;

    va_start(arguments, format);
    for (; *format; format++) {
        int value;

        if (*format != '%') {
            *to++ = *format;
            continue;
        }
        switch (*++format) {
        case 'd':
            value = va_arg(arguments, int);
            if (value < 0)
                *to++ = '-';
            to = put_number(to, value < 0 ? -(unsigned)value : (unsigned)value,
                            10);
            break;
        case 'x':
            to = put_number(to, va_arg(arguments, unsigned), 16);
            break;
        default:
            to = put_string(to, va_arg(arguments, const char *));
        }
    }
    va_end(arguments);
    write(1, line, (int)(to - line));
}
