/* first.S: what programs share begins here: linked before their objects. */
    .text
    .globl crf_text_first
crf_text_first:
    .section .data
    .balign 4096
    .globl crf_data_first
crf_data_first:
    .globl crf_environ
crf_environ:
    .long 0
    .section .bss, "aw", @nobits
    .balign 4096
    .globl crf_bss_first
crf_bss_first:
    .section .note.GNU-stack, "", @progbits
