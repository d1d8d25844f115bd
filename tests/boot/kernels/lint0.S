/* lint0.S: the entry of an interrupt handler in C, for kernels that have an on_lint0. */
    .globl enter_lint0
enter_lint0:
    pusha
    cld
    call on_lint0
    popa
    iret

    .weak on_lint0
on_lint0:
    ret
