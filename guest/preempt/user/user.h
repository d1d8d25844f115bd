/*
 * user.h: what programs can use.
 */
#ifndef USER_H
#define USER_H

#include "../abi.h"

typedef void handler(int number);

static inline int system_call(int number, int a, int b, int c)
{
    int result;

    __asm__ volatile("int $0x80"
                     : "=a"(result)
                     : "0"(number), "b"(a), "c"(b), "d"(c)
                     : "memory");
    return result;
}

void exit(int status) __attribute__((noreturn));
int fork(void);
int exec(const char *name, const char *argument);
int wait(int *status);
int getpid(void);
int read(int file, void *buffer, int bytes);
int write(int file, const void *buffer, int bytes);
int pipe(int pair[2]);
int close(int file);
int sleep(int ticks);
int pause(void);
int kill(int pid, int number);
int on_signal(int number, handler *handler);
int alarm(int ticks);
int frames(void);
int ticks(void);

/* %d, %x, %s; the whole line is one write. */
void print(const char *format, ...);
/* What a handler was called with. */
struct signal_frame *frame_of(int *number);

#endif
