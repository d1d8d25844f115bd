/*
 * main.c: the kernel starts, and the first program with it.
 */
#include "kernel.h"

void main(const void *boot_information)
{
    programs_init(boot_information);
    frames_init(programs_end());
    segments_init();
    space_init();
    timer_init();
    process_start_first("init");
    panic("the first program does not start", 0);
}
