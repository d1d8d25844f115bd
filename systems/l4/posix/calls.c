/*
 * calls.c: the system calls of i386 Linux that this personality has, by their
 * numbers. Others answer ENOSYS and are named once on standard error.
 */
#include "posix/posix.h"

#define CALLS 512
#define VECTOR_MAX 1024 /* parts of a writev */

static int32_t write_bytes(uint32_t slot, uint32_t user, uint32_t bytes)
{
    uint32_t room = (L4_WORDS_MAX - 3) * 4, done = 0;

    while (done < bytes) {
        uint32_t some = bytes - done < room ? bytes - done : room;

        if (memory_in(l4_utcb()->words + 3, user + done, some))
            return done ? (int32_t)done : EFAULT;
        l4_do(slot, L4_LOG_WRITE, some, 0, 0);
        done += some;
    }
    return (int32_t)done;
}

static int32_t call_write(const struct registers *r)
{
    if (r->ebx != 1 && r->ebx != 2)
        return EBADF;
    return write_bytes(r->ebx == 1 ? SLOT_OUT : SLOT_ERROR, r->ecx, r->edx);
}

static int32_t call_writev(const struct registers *r)
{
    int32_t done = 0;

    if (r->ebx != 1 && r->ebx != 2)
        return EBADF;
    if (r->edx > VECTOR_MAX)
        return EINVAL;
    for (uint32_t n = 0; n < r->edx; n++) {
        struct registers one = *r;
        uint32_t part[2];
        int32_t result;

        if (memory_in(part, r->ecx + 8 * n, sizeof(part)))
            return done ? done : EFAULT;
        one.ecx = part[0];
        one.edx = part[1];
        result = call_write(&one);
        if (result < 0)
            return done ? done : result;
        done += result;
    }
    return done;
}

static int32_t call_exit(const struct registers *r)
{
    halt(r->ebx & 0xFF);
}

/* The segment in GS: entry 6, whatever the program asked for. */
static int32_t call_set_thread_area(const struct registers *r)
{
    uint32_t description[4], entry = 6;

    if (memory_in(description, r->ebx, sizeof(description)) ||
        memory_out(r->ebx, &entry, 4))
        return EFAULT;
    return l4_do(SLOT_RUNS, L4_THREAD_TLS, description[1], 0, 0);
}

static int32_t call_accepted(const struct registers *r)
{
    (void)r;
    return 0;
}

static int32_t call_one(const struct registers *r)
{
    (void)r;
    return 1;
}

static int32_t call_not_a_terminal(const struct registers *r)
{
    return r->ebx <= 2 ? ENOTTY : EBADF;
}

static int32_t call_no_seek(const struct registers *r)
{
    return r->ebx <= 2 ? ESPIPE : EBADF;
}

/* Nothing is connected to standard input: it is at its end. */
static int32_t call_read(const struct registers *r)
{
    static int named;

    if (r->ebx == 0 && !named)
        print_error("l4: posix: there is no standard input: it is empty\n");
    named |= r->ebx == 0;
    return r->ebx == 0 ? 0 : EBADF;
}

static const struct {
    const char *name;
    int32_t (*call)(const struct registers *);
} calls[CALLS] = {
    [1] = {"exit", call_exit},
    [3] = {"read", call_read},
    [4] = {"write", call_write},
    [6] = {"close", call_accepted},
    [13] = {"time", call_time},
    [19] = {"lseek", call_no_seek},
    [20] = {"getpid", call_one},
    [24] = {"getuid", call_accepted},
    [45] = {"brk", call_brk},
    [54] = {"ioctl", call_not_a_terminal},
    [78] = {"gettimeofday", call_gettimeofday},
    [91] = {"munmap", call_munmap},
    [125] = {"mprotect", call_accepted},
    [140] = {"_llseek", call_no_seek},
    [146] = {"writev", call_writev},
    [158] = {"sched_yield", call_accepted},
    [162] = {"nanosleep", call_sleep},
    [174] = {"rt_sigaction", call_accepted},
    [175] = {"rt_sigprocmask", call_accepted},
    [192] = {"mmap2", call_mmap},
    [199] = {"getuid32", call_accepted},
    [200] = {"getgid32", call_accepted},
    [201] = {"geteuid32", call_accepted},
    [202] = {"getegid32", call_accepted},
    [224] = {"gettid", call_one},
    [243] = {"set_thread_area", call_set_thread_area},
    [252] = {"exit_group", call_exit},
    [258] = {"set_tid_address", call_one},
    [265] = {"clock_gettime", call_clock},
    [403] = {"clock_gettime64", call_clock64},
    [407] = {"clock_nanosleep_time64", call_sleep64},
};

static int32_t not_there(uint32_t number)
{
    static uint8_t named[CALLS];

    if (number < CALLS && named[number])
        return ENOSYS;
    if (number < CALLS)
        named[number] = 1;
    print_error("l4: posix: system call ");
    print_error_number(number, 10);
    print_error(" is not there\n");
    return ENOSYS;
}

int32_t system_call(const struct registers *r)
{
    if (r->eax >= CALLS || !calls[r->eax].call)
        return not_there(r->eax);
    return calls[r->eax].call(r);
}
