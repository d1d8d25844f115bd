/*
 * wbinvd.S: a program without a kernel that asks what WBINVD reaches.
 *
 * It brings one line of shared DRAM into L1 and L2, changes it, executes
 * WBINVD and stops. The line must be dirty in L2 and old in memory: L2 has
 * no flush input (scc-linux-2011). Paging is off, so memory is write-back.
 */
#define PLACE 0x80070000
#define VALUE 0x1234

    .section .boot, "ax"
    .align 4
    .long 0x1BADB002            /* multiboot: magic, flags, checksum */
    .long 0
    .long -0x1BADB002

    .globl start
start:
    mov %cr0, %eax
    and $0x9FFFFFFF, %eax       /* CD and NW: caches on */
    mov %eax, %cr0
    mov PLACE, %eax             /* allocates in L1 and L2 */
    movl $VALUE, PLACE          /* dirty in L1 */
    wbinvd                      /* L1's line goes down to L2, no further */
    mov $0x3F8, %dx
    mov PLACE, %eax
    cmp $VALUE, %eax            /* L2 still has it */
    mov $'y', %al
    je 1f
    mov $'n', %al
1:  out %al, (%dx)
    cli
2:  hlt
    jmp 2b
