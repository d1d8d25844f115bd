/*
 * rckmpi_notes.c: where rck run --messages and --trace look on. MPI's messages
 * pass here once at each end, also those of collectives, with the core of the
 * other end; nothing happens here, but the calls cost their few instructions.
 */
#include "rckmpi.h"

__attribute__((noinline)) void rckmpi_message_sent(int core, size_t bytes,
                                                   int tag, int context)
{
    __asm__ volatile("" ::"r"(core), "r"(bytes), "r"(tag), "r"(context));
}

__attribute__((noinline)) void rckmpi_message_came(int core, size_t bytes,
                                                   int tag, int context)
{
    __asm__ volatile("" ::"r"(core), "r"(bytes), "r"(tag), "r"(context));
}
