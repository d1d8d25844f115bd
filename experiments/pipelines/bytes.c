/*
 * bytes.c: RCCE's messages, copied byte by byte.
 *
 * Linked in place of RCCE_send and RCCE_recv (`--wrap`). All but the copies
 * is as there: through the sender's buffer in pieces, "sent" and "ready".
 */
#include "RCCE.h"
#include "RCCE_lib.h"

int __wrap_RCCE_send(char *data, size_t bytes, int ue);
int __wrap_RCCE_recv(char *data, size_t bytes, int ue);

/* A byte is loaded by MOV, as compilers for the Pentium did; Clang takes MOVZX,
 * which costs three clocks more there. */
static inline __attribute__((always_inline)) char
load(const volatile char *from)
{
    char byte;

    __asm__("movb %1, %0" : "=q"(byte) : "m"(*from));
    return byte;
}

static void copy(volatile void *to, const volatile void *from, size_t bytes)
{
    volatile char *target = to;
    const volatile char *source = from;

    /* As the studies that run this say: the number was chosen. */
#pragma clang loop unroll_count(2)
    for (size_t i = 0; i < bytes; i++)
        target[i] = load(source + i);
}

/* Each store to a buffer must have left the write-combine buffer. */
static void push(void)
{
    *(volatile int *)RCCE_fool_write_combine_buffer = 1;
}

int __wrap_RCCE_send(char *data, size_t bytes, int ue)
{
    for (size_t at = 0; at < bytes; at += RCCE_chunk) {
        size_t part = bytes - at < RCCE_chunk ? bytes - at : RCCE_chunk;

        RC_cache_invalidate();
        copy(RCCE_buff_ptr, data + at, part);
        push();
        RCCE_flag_write(&RCCE_sent_flag[RCCE_IAM], RCCE_FLAG_SET, ue);
        RCCE_wait_until(RCCE_ready_flag[ue], RCCE_FLAG_SET);
        RCCE_flag_write(&RCCE_ready_flag[ue], RCCE_FLAG_UNSET, RCCE_IAM);
    }
    return RCCE_SUCCESS;
}

int __wrap_RCCE_recv(char *data, size_t bytes, int ue)
{
    t_vcharp there =
        RCCE_comm_buffer[ue] + (RCCE_buff_ptr - RCCE_comm_buffer[RCCE_IAM]);

    for (size_t at = 0; at < bytes; at += RCCE_chunk) {
        size_t part = bytes - at < RCCE_chunk ? bytes - at : RCCE_chunk;

        RCCE_wait_until(RCCE_sent_flag[ue], RCCE_FLAG_SET);
        RCCE_flag_write(&RCCE_sent_flag[ue], RCCE_FLAG_UNSET, RCCE_IAM);
        RC_cache_invalidate();
        copy(data + at, there, part);
        RCCE_flag_write(&RCCE_ready_flag[RCCE_IAM], RCCE_FLAG_SET, ue);
    }
    return RCCE_SUCCESS;
}
