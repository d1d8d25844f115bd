/*
 * kernel_access.c: memory that a system call reads or writes.
 *
 * The kernel takes no page fault in a program's stead: a call whose buffer
 * lies in a page that is not open ends with EFAULT, before it has done
 * anything. The C library's calls go through a pointer of each thread (of
 * thread-local storage, i386 ABI: %gs:16); here it leads to a call that opens
 * the pages of such a buffer and asks once more.
 */
#include "../crf_private.h"
#include "pages.h"

#include <sys/syscall.h>
#include <sys/uio.h>

struct crf_call {
    uint32_t sixth, fifth, fourth, third, second, first, number;
};

__asm__(".text\n"
        ".balign 16\n"
        ".type crf_system_call, @function\n"
        "crf_system_call:\n"
        "    cmpl $2, %ebx\n" /* output: write and writev to 1 and 2 */
        "    ja 3f\n"
        "    cmpl $4, %eax\n"
        "    je 2f\n"
        "    cmpl $146, %eax\n"
        "    je 2f\n"
        "3:  pushl %eax\n"
        "    int $128\n"
        "    cmpl $-14, %eax\n"
        "    jne 1f\n"
        "    popl %eax\n"
        "    pushl %eax\n"
        "    pushl %ebx\n"
        "    pushl %ecx\n"
        "    pushl %edx\n"
        "    pushl %esi\n"
        "    pushl %edi\n"
        "    pushl %ebp\n"
        "    pushl %esp\n"
        "    call crf_open_buffers\n"
        "    addl $4, %esp\n"
        "    popl %ebp\n"
        "    popl %edi\n"
        "    popl %esi\n"
        "    popl %edx\n"
        "    popl %ecx\n"
        "    popl %ebx\n"
        "    popl %eax\n"
        "    int $128\n"
        "    ret\n"
        "1:  addl $4, %esp\n"
        "    ret\n"
        "2:  pushal\n"
        "    call crf_output_begin\n"
        "    popal\n"
        "    call 3b\n"
        "    pushal\n"
        "    call crf_output_end\n"
        "    popal\n"
        "    ret\n");
extern char crf_system_call[];

/* One core at a time writes to the program's output. Who holds the register
 * and has died is not waited for. */
#define OUTPUT 6u
#define PATIENCE 2000000u

static int has_output;
void crf_output_begin(void);
void crf_output_end(void);

void crf_output_begin(void)
{
    uint64_t start = __builtin_ia32_rdtsc();

    if (crf_all_ranks == 1 || has_output)
        return;
    while (!(has_output = crf_try_guard(OUTPUT)))
        if (__builtin_ia32_rdtsc() - start > PATIENCE)
            return;
}

void crf_output_end(void)
{
    if (has_output)
        crf_unguard(OUTPUT);
    has_output = 0;
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
        if (write)
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
void crf_open_buffers(const struct crf_call *call);
void crf_open_buffers(const struct crf_call *call)
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
void crf_kernel_access_start(void)
{
    __asm__ volatile("movl %0, %%gs:16" : : "r"(crf_system_call));
}
