/*
 * context.c: makecontext(): a context that begins a function on a stack of its
 * own. context.S changes from one context to another.
 */
#include <stdarg.h>
#include <stdint.h>
#include <ucontext.h>

#define ALIGNMENT 16u
#define REGISTER(context, name) ((context)->uc_mcontext.gregs[REG_##name])

void _rck_context_end(void);

/* The arguments lie above the address that the function returns to, on a stack
 * that is aligned as a call leaves it. */
void makecontext(ucontext_t *context, void (*function)(void), int count, ...)
{
    uint32_t top =
        (uint32_t)context->uc_stack.ss_sp + (uint32_t)context->uc_stack.ss_size;
    uint32_t *stack = (uint32_t *)((top - (uint32_t)count * 4) & -ALIGNMENT);
    va_list arguments;

    va_start(arguments, count);
    for (int n = 0; n < count; n++)
        stack[n] = va_arg(arguments, uint32_t);
    va_end(arguments);
    *--stack = (uint32_t)_rck_context_end;
    REGISTER(context, ESP) = (int32_t)stack;
    REGISTER(context, EIP) = (int32_t)function;
    REGISTER(context, EBX) = (int32_t)context->uc_link;
    REGISTER(context, EBP) = 0;
}
