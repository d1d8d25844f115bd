/*
 * return.c: RET and IRET between segments and to outer rings.
 *
 * Developer's Manual vol. 3, 12.4.4 (returns only outwards; SS must fit the
 * new level; DS, ES, FS and GS that the new level may not use become null),
 * the pages of RET and IRET in chapter 25 (which flags IRET changes).
 */
#include "testrom.h"

extern uint32_t return_frame[4]; /* EIP, CS, ESP, SS */
uint32_t return_frame[4];
static uint32_t return_stack[16];

/* The frame comes onto the stack, then the return. */
CODE(go_far, "pushl return_frame + 12; pushl return_frame + 8;"
             "pushl return_frame + 4; pushl return_frame;"
             "far_ret: lret");
CODE(go_iret, "pushl return_frame + 12; pushl return_frame + 8; push %ebx;"
              "pushl return_frame + 4; pushl return_frame;"
              "far_iret: iret");
CODE(go_release, "pushl return_frame + 12; pushl return_frame + 8;"
                 "push $1; push $2;"
                 "pushl return_frame + 4; pushl return_frame; lret $8");
CODE(landed_esp, "mov %esp, %eax; sub %ss:return_frame + 8, %eax");
CODE(keep_some, "mov %bx, %es; mov %cx, %fs;"
                "pushl return_frame + 12; pushl return_frame + 8;"
                "pushl return_frame + 4; pushl return_frame; lret");
CODE(landed_es, "mov %es, %eax; shl $16, %eax; mov %fs, %ax");
extern const char far_ret[], far_iret[];

static void frame(const void *eip, uint32_t cs, uint32_t ss)
{
    return_frame[0] = (uint32_t)eip;
    return_frame[1] = cs;
    return_frame[2] = (uint32_t)&return_stack[16];
    return_frame[3] = ss;
}

static void back(const char *what, uint32_t ring, uint32_t cs, uint32_t ss)
{
    frame(landed, cs, ss);
    run(ring, go_far);
    show(what, far_ret);
}

static void refused(void)
{
    back("inwards", 3, CODE0, DATA0);
    back("cs null", 0, 0, DATA3 | 3);
    back("cs beyond gdt", 0, SLOT(SLOTS), DATA3 | 3);
    back("cs data", 0, DATA3 | 3, DATA3 | 3);
    back("cs dpl 0, rpl 3", 0, CODE0 | 3, DATA3 | 3);
    set(SLOT(0), 0, 0xFFFFF, (EXECUTE | RING3) - ABSENT, BIG | PAGES);
    back("cs not present", 0, SLOT(0) | 3, DATA3 | 3);
    back("ss null", 0, CODE3 | 3, 0);
    back("ss rpl 0", 0, CODE3 | 3, DATA3);
    back("ss dpl 0", 0, CODE3 | 3, DATA0 | 3);
    set(SLOT(0), 0, 0xFFFFF, (DATA | RING3) - ABSENT, BIG | PAGES);
    back("ss not present", 0, CODE3 | 3, SLOT(0) | 3);
    set(SLOT(0), 0, 0xFFF, EXECUTE | RING3, BIG);
    back("eip beyond limit", 0, SLOT(0) | 3, DATA3 | 3);
}

static void flags(const char *what, uint32_t ring, uint32_t before,
                  uint32_t image)
{
    uint32_t selector = CODE0 + 17 * ring;

    frame(landed_flags, selector, 0);
    in.eflags = before;
    in.ebx = image;
    run(ring, go_iret);
    in.eflags = 2;
    show(what, far_iret);
}

void test_returns(void)
{
    topic("returns");
    back("ring 0 to 3", 0, CODE3 | 3, DATA3 | 3);
    back("ring 0 to 1", 0, CODE1 | 1, DATA1 | 1);
    back("ring 1 to 2", 1, CODE2 | 2, DATA2 | 2);
    back("same level", 0, CODE0, 0);
    set(SLOT(1), 0, 0xFFFFF, CONFORMING, BIG | PAGES);
    back("conforming, rpl 3", 0, SLOT(1) | 3, DATA3 | 3);
    frame(landed_esp, CODE3 | 3, DATA3 | 3);
    try("release on both stacks", 0, go_release);
    /* DATA3 and conforming code stay, ring 0 data goes. */
    frame(landed_es, CODE3 | 3, DATA3 | 3);
    try_with("es ring 3, fs ring 0", 0, keep_some, DATA3, DATA0);
    try_with("es conforming, fs ring 1", 0, keep_some, SLOT(1), DATA1);
    refused();

    frame(landed, CODE3 | 3, DATA3 | 3);
    in.ebx = 2;
    run(0, go_iret);
    show("iret, ring 0 to 3", far_iret);
    frame(landed, CODE3 | 3, DATA0);
    in.ebx = 2;
    run(0, go_iret);
    show("iret, ss dpl 0", far_iret);
    flags("iret flags, ring 0", 0, 2, 0x247CD7);
    flags("iret flags, ring 3", 3, 2, 0x247ED7);
    flags("iret flags, ring 3, iopl 3", 3, 0x3202, 0x240CD7);
    flags("iret flags, ring 1, iopl 1", 1, 0x1002, 0x203202);
}
