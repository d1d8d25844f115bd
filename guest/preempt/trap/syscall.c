/*
 * syscall.c: the table of system calls (numbers and arguments in abi.h).
 */
#include "kernel.h"

static int sys_exit(uint32_t status, uint32_t b, uint32_t c)
{
    (void)b, (void)c;
    process_exit((int)status);
}

static int sys_fork(uint32_t a, uint32_t b, uint32_t c)
{
    (void)a, (void)b, (void)c;
    return process_fork();
}

static int sys_exec(uint32_t name, uint32_t argument, uint32_t c)
{
    (void)c;
    if (user_string(name) || user_string(argument))
        return BAD_ADDRESS;
    return process_exec((const char *)name, (const char *)argument);
}

static int sys_wait(uint32_t status, uint32_t b, uint32_t c)
{
    (void)b, (void)c;
    return process_wait(status);
}

static int sys_pid(uint32_t a, uint32_t b, uint32_t c)
{
    (void)a, (void)b, (void)c;
    return current->pid;
}

static int sys_read(uint32_t number, uint32_t to, uint32_t bytes)
{
    struct file *file = file_of(number);

    if (!file || file->kind != PIPE_READ)
        return BAD_CALL;
    if (user_range(to, bytes, 1))
        return BAD_ADDRESS;
    return pipe_read(file->pipe, (uint8_t *)to, bytes);
}

static int write_console(const char *from, uint32_t bytes)
{
    char text[2] = {0, 0};
    uint32_t n;

    for (n = 0; n < bytes; n++) {
        text[0] = from[n];
        say(text);
    }
    return (int)bytes;
}

static int sys_write(uint32_t number, uint32_t from, uint32_t bytes)
{
    struct file *file = file_of(number);

    if (!file || file->kind == PIPE_READ)
        return BAD_CALL;
    if (user_range(from, bytes, 0))
        return BAD_ADDRESS;
    if (file->kind == CONSOLE)
        return write_console((const char *)from, bytes);
    return pipe_write(file->pipe, (const uint8_t *)from, bytes);
}

static int sys_pipe(uint32_t pair, uint32_t b, uint32_t c)
{
    (void)b, (void)c;
    return pipe_new(pair);
}

static int sys_close(uint32_t number, uint32_t b, uint32_t c)
{
    struct file *file = file_of(number);

    (void)b, (void)c;
    if (!file)
        return BAD_CALL;
    current->files[number] = 0;
    file_drop(file);
    return 0;
}

static int sys_sleep(uint32_t duration, uint32_t b, uint32_t c)
{
    (void)b, (void)c;
    if (duration == 0)
        return 0;
    current->wake_at = ticks + duration;
    return sleep_on(&current->wake_at);
}

static int sys_pause(uint32_t a, uint32_t b, uint32_t c)
{
    (void)a, (void)b, (void)c;
    return sleep_on(&current->pending);
}

static int sys_kill(uint32_t pid, uint32_t number, uint32_t c)
{
    struct process *process = process_by_pid((int)pid);

    (void)c;
    if (!process)
        return NO_SUCH;
    if (number == 0 || number >= SIGNALS)
        return BAD_CALL;
    signal_send(process, (int)number);
    return 0;
}

static int sys_signal(uint32_t number, uint32_t handler, uint32_t restorer)
{
    if (number == 0 || number >= SIGNALS || number == SIGKILL)
        return BAD_CALL;
    current->handler[number] = handler;
    current->restorer = restorer;
    return 0;
}

static int sys_return(uint32_t a, uint32_t b, uint32_t c)
{
    (void)a, (void)b, (void)c;
    return signal_return(current->frame);
}

static int sys_alarm(uint32_t duration, uint32_t b, uint32_t c)
{
    (void)b, (void)c;
    current->alarm = duration ? ticks + duration : 0;
    return 0;
}

static int sys_frames(uint32_t a, uint32_t b, uint32_t c)
{
    (void)a, (void)b, (void)c;
    return (int)frames_free();
}

static int sys_ticks(uint32_t a, uint32_t b, uint32_t c)
{
    (void)a, (void)b, (void)c;
    return (int)ticks;
}

static int (*const calls[SYS_COUNT])(uint32_t, uint32_t, uint32_t) = {
    [SYS_EXIT] = sys_exit,     [SYS_FORK] = sys_fork,
    [SYS_EXEC] = sys_exec,     [SYS_WAIT] = sys_wait,
    [SYS_PID] = sys_pid,       [SYS_READ] = sys_read,
    [SYS_WRITE] = sys_write,   [SYS_PIPE] = sys_pipe,
    [SYS_CLOSE] = sys_close,   [SYS_SLEEP] = sys_sleep,
    [SYS_PAUSE] = sys_pause,   [SYS_KILL] = sys_kill,
    [SYS_SIGNAL] = sys_signal, [SYS_RETURN] = sys_return,
    [SYS_ALARM] = sys_alarm,   [SYS_FRAMES] = sys_frames,
    [SYS_TICKS] = sys_ticks,
};

int system_call(struct trapframe *frame)
{
    if (frame->eax >= SYS_COUNT)
        return BAD_CALL;
    return calls[frame->eax](frame->ebx, frame->ecx, frame->edx);
}
