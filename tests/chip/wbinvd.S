/* A bare-metal image: WBINVD writes L1 back into L2 and stops there.
 *
 * A line is read (which fills L1 and L2), changed in L1, and written back by
 * WBINVD. The core itself then still reads the new value, from L2; memory
 * holds the old one. The host looks at both after the exit record.
 */
        .set MAGIC, 0x1BADB002
        .set EXIT_RECORD, 0xFA100040    /* host channel of core 0 */
        .set WORD, 0x00700000           /* a line nobody else uses */
        .set CR0_CACHE_OFF, 0x60000000  /* CD and NW */

        .section .multiboot, "a"
        .balign 4
        .long   MAGIC, 0, -MAGIC

        .text
        .globl  _start
_start:
        movl    %cr0, %eax
        andl    $~CR0_CACHE_OFF, %eax
        movl    %eax, %cr0
        movl    WORD, %ecx
        movl    $0x5CC5CC5C, WORD
        wbinvd
        movl    WORD, %edx
        movl    $EXIT_RECORD, %ebx
        movl    $1, 0x00(%ebx)          /* reason: exit */
        movl    $0, 0x04(%ebx)          /* code */
        movl    %ecx, 0x08(%ebx)        /* EIP field: the value before */
        movl    %edx, 0x0C(%ebx)        /* address field: the value after */
        movl    $1, 0x14(%ebx)          /* done */
1:      hlt
        jmp     1b
