/*
 * kernel_access.c: memory that a system call reads or writes.
 *
 * The kernel takes no page fault in a program's stead: a call whose buffer
 * lies in a page that is not open ends with EFAULT, before it has done
 * anything. The C library's calls go through a pointer of each thread (of
 * thread-local storage, i386 ABI: %gs:16); here it leads to a call that opens
 * the pages of such a buffer and asks once more. Calls that name files go to
 * crf_files.c.
 */
#include "../crf_files.h"
#include "../models/model.h"
#include "pages.h"

#include <errno.h>
#include <sys/syscall.h>
#include <sys/uio.h>

__asm__(".text\n"
        ".balign 16\n"
        ".type crf_system_call, @function\n"
        "crf_system_call:\n"
        "    pushl %eax\n"
        "    pushl %ebx\n"
        "    pushl %ecx\n"
        "    pushl %edx\n"
        "    pushl %esi\n"
        "    pushl %edi\n"
        "    pushl %ebp\n"
        "    pushl %esp\n"
        "    call crf_answer\n"
        "    addl $4, %esp\n"
        "    popl %ebp\n"
        "    popl %edi\n"
        "    popl %esi\n"
        "    popl %edx\n"
        "    popl %ecx\n"
        "    popl %ebx\n"
        "    addl $4, %esp\n"
        "    ret\n"
        ".type crf_kernel, @function\n"
        "crf_kernel:\n"
        "    pushl %ebx\n"
        "    pushl %esi\n"
        "    pushl %edi\n"
        "    pushl %ebp\n"
        "    movl 20(%esp), %eax\n"
        "    movl (%eax), %ebp\n"
        "    movl 4(%eax), %edi\n"
        "    movl 8(%eax), %esi\n"
        "    movl 12(%eax), %edx\n"
        "    movl 16(%eax), %ecx\n"
        "    movl 20(%eax), %ebx\n"
        "    movl 24(%eax), %eax\n"
        "    int $128\n"
        "    popl %ebp\n"
        "    popl %edi\n"
        "    popl %esi\n"
        "    popl %ebx\n"
        "    ret\n");
extern char crf_system_call[];
int32_t crf_kernel(const struct crf_call *call);
int32_t crf_answer(const struct crf_call *call);

/* One core at a time writes to the program's output. Who holds the register
 * and has died is not waited for. */
#define OUTPUT 6u
#define PATIENCE 2000000u

static int output_begin(void)
{
    uint64_t start = __builtin_ia32_rdtsc();

    while (!crf_try_guard(OUTPUT))
        if (__builtin_ia32_rdtsc() - start > PATIENCE)
            return 0;
    return 1;
}

static void open_pages(uint32_t address, uint32_t bytes, int write)
{
    uint32_t last = address + (bytes ? bytes - 1 : 0);

    for (uint32_t at = address; at <= last; at = (at | (CRF_PAGE - 1)) + 1) {
        volatile char *byte = (volatile char *)at;
        uint32_t page = crf_page_of((const void *)at);

        if (page == CRF_NO_PAGE || crf_state[page] == CRF_GUARD)
            return;
        char value = *byte;
        if (write && crf_model->copies)
            *byte = value;
    }
}

static void open_vector(const struct crf_call *call, int write)
{
    const struct iovec *part = (const struct iovec *)call->second;

    for (uint32_t i = 0; i < call->third; i++)
        open_pages((uint32_t)part[i].iov_base, part[i].iov_len, write);
}

/* By the call's number: what it reads, what it writes; of others each
 * argument that is an address. */
static void open_buffers(const struct crf_call *call)
{
    const uint32_t arguments[] = {call->first, call->second, call->third,
                                  call->fourth};

    switch (call->number) {
    case SYS_read:
    case SYS_pread64:
        open_pages(call->second, call->third, 1);
        return;
    case SYS_write:
    case SYS_pwrite64:
        open_pages(call->second, call->third, 0);
        return;
    case SYS_readv:
    case SYS_writev:
        open_vector(call, call->number == SYS_readv);
        return;
    default:
        for (int i = 0; i < 4; i++)
            open_pages(arguments[i], CRF_PAGE, 1);
    }
}

/* A page that is at one core at a time may be gone again before the kernel
 * looks; it is so many times only where no memory is. */
#define TRIES 100

int32_t crf_kernel_call(const struct crf_call *call)
{
    int32_t result = crf_kernel(call);

    for (int n = 0; result == -EFAULT && n < TRIES; n++) {
        open_buffers(call);
        result = crf_kernel(call);
        if (crf_model->copies)
            break;
    }
    return result;
}

/* A kernel knows of its own core; sysconf asks how many there are. */
static int32_t tell_cores(const struct crf_call *call)
{
    uint8_t *set = (uint8_t *)call->third;

    for (int rank = 0; rank < crf_all_ranks; rank++)
        if ((uint32_t)rank / 8 < call->second)
            set[rank / 8] |= (uint8_t)(1 << rank % 8);
    return CRF_CORES / 8 + 2;
}

int32_t crf_answer(const struct crf_call *call)
{
    int writes = call->number == SYS_write || call->number == SYS_writev;
    int alone, outputs = writes && call->first <= 2 && crf_all_ranks > 1 &&
                         !crf_file_is_shared(call->first);
    int32_t result;

    if (crf_signal_call(call, &result))
        return result;
    if (call->number == SYS_exit_group) {
        crf_exit_at_once((int)call->first);
        crf_last_act();
    }
    if (call->number == SYS_sched_getaffinity)
        return tell_cores(call);
    if (!outputs)
        return crf_file_call(call);
    alone = output_begin();
    result = crf_kernel_call(call);
    if (alone)
        crf_unguard(OUTPUT);
    return result;
}

void crf_kernel_access_start(void)
{
    __asm__ volatile("movl %0, %%gs:16" : : "r"(crf_system_call));
}
