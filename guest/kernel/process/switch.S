/* void stack_switch(u32 *saved, u32 stack_pointer): leaves the stack of one
 * thread in the kernel and goes on where another one left its own. The caller
 * keeps no value in the registers that a C function may change. */
        .text
        .globl stack_switch
stack_switch:
        movl 4(%esp), %eax
        movl 8(%esp), %edx
        pushl %ebp
        pushl %ebx
        pushl %esi
        pushl %edi
        movl %esp, (%eax)
        movl %edx, %esp
        popl %edi
        popl %esi
        popl %ebx
        popl %ebp
        ret
