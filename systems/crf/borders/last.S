/* last.S: what programs share ends here: the libraries' own data, such as
 * stdio's buffers, follow and are each core's. */
    .text
    .globl crf_text_last
crf_text_last:
    .section .data
    .balign 4096
    .globl crf_data_last
crf_data_last:
    .section .bss, "aw", @nobits
    .balign 4096
    .globl crf_bss_last
crf_bss_last:
    .section .note.GNU-stack, "", @progbits
