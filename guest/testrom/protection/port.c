/*
 * port.c: who may use which port.
 *
 * Developer's Manual vol. 3, 15.2 (IOPL), 15.3.2 (the I/O permission bitmap
 * of a 32-bit TSS: a port needs all its bits clear; two bytes are read, so
 * the bitmap ends with a byte of ones inside the limit).
 */
#include "testrom.h"

#define SCRATCH_PORT (COM1 + 7) /* bit 7 of byte 7f */
#define BITMAP 136              /* offset of the ports in struct tss32 */

CODE(in_byte, "in %dx, %al; mov $1, %eax");
CODE(in_word, "in %dx, %ax; mov $1, %eax");
CODE(in_long, "in %dx, %eax; mov $1, %eax");
CODE(in_string, "mov $0x40000, %edi; insb; mov $1, %eax");
CODE(out_string, "mov $0x40000, %esi; outsb; mov $1, %eax");
CODE(in_fixed, "in $0x80, %al; mov $1, %eax");

static void permit(uint32_t port, int yes)
{
    if (yes)
        task.ports[port / 8] &= ~(1 << port % 8);
    else
        task.ports[port / 8] |= 1 << port % 8;
}

static void at(const char *what, uint32_t ring, const char *code, uint32_t port)
{
    in.edx = port;
    try(what, ring, code);
}

void test_ports(void)
{
    uint32_t n;

    topic("ports");
    in.eflags = FLAG_IOPL(3) | 2;
    at("iopl 3, ring 3", 3, in_byte, SCRATCH_PORT);
    in.eflags = FLAG_IOPL(1) | 2;
    at("iopl 1, ring 1", 1, in_byte, SCRATCH_PORT);
    at("iopl 1, ring 2", 2, in_byte, SCRATCH_PORT);
    in.eflags = 2;
    at("no bitmap", 3, in_byte, SCRATCH_PORT);
    for (n = 0; n < sizeof task.ports; n++)
        task.ports[n] = 0xFF;
    task.bitmap = BITMAP;
    at("all closed", 3, in_byte, SCRATCH_PORT);
    permit(SCRATCH_PORT, 1);
    at("open byte", 3, in_byte, SCRATCH_PORT);
    at("open byte, next port", 3, in_byte, SCRATCH_PORT + 1);
    at("open byte, word", 3, in_word, SCRATCH_PORT - 1);
    permit(SCRATCH_PORT - 1, 1);
    at("open word", 3, in_word, SCRATCH_PORT - 1);
    at("open word, over the byte", 3, in_word, SCRATCH_PORT);
    at("open word, long", 3, in_long, SCRATCH_PORT - 3);
    at("ins", 3, in_string, SCRATCH_PORT);
    at("outs closed", 3, out_string, SCRATCH_PORT - 2);
    at("port 80 closed", 3, in_fixed, 0);
    permit(0x80, 1);
    at("port 80 open", 3, in_fixed, 0);
    /* Byte 7f of the bitmap needs byte 80 inside the limit. */
    set(TASK, (uint32_t)&task, BITMAP + 0x80, TSS32, 0);
    __asm__ volatile("ltr %w0" : : "r"(TASK));
    at("limit at the second byte", 3, in_byte, SCRATCH_PORT);
    set(TASK, (uint32_t)&task, BITMAP + 0x7F, TSS32, 0);
    __asm__ volatile("ltr %w0" : : "r"(TASK));
    at("limit at the first byte", 3, in_byte, SCRATCH_PORT);
    task.bitmap = sizeof task;
    use_task();
    at("bitmap beyond limit", 3, in_byte, SCRATCH_PORT);
    in.edx = 0;
}
