/*
 * page_straddle.c: page faults in the middle of something.
 *
 * Developer's Manual vol. 3, 14.9.14 (the fault is restartable: registers
 * are as before the instruction, or after the last whole iteration of a
 * string instruction; CR2 is the address that was not accessible), 14.9.9
 * (page fault during delivery), 11.5 (tables are reached through pages, with
 * the rights of ring 0).
 */
#include "paging.h"

#define SECOND (WINDOW + PAGE)

CODE(t_read, "mov (%ebx), %eax; mov $1, %eax");
CODE(t_write, "movl $0x55555555, (%ebx); mov $1, %eax");
CODE(t_push, "mov %ebx, %esp; push %eax; mov $1, %eax");
CODE(t_pusha, "mov %ebx, %esp; pusha; mov $1, %eax");
CODE(t_call, "mov %ebx, %esp; call 1f; 1: mov $1, %eax");
CODE(t_far_call, "mov %ebx, %esp; lcall *far_target");
CODE(t_enter, "mov %ebx, %esp; mov %ebx, %ebp; enter $0x20, $0;"
              "mov $1, %eax");
CODE(t_pop, "mov %ebx, %esp; pop %eax; mov $1, %eax");
CODE(t_pop_memory, "push $5; popl (%ebx); mov $1, %eax");
CODE(t_ret, "mov %ebx, %esp; ret");
CODE(t_move, "mov %ebx, %esi; mov $0x50000, %edi; mov $8, %ecx; rep movsb;"
             "mov $1, %eax");
CODE(t_store, "mov %ebx, %edi; mov $8, %ecx; rep stosw; mov $1, %eax");
CODE(t_down, "mov %ebx, %edi; mov $8, %ecx; std; rep stosb; cld;"
             "mov $1, %eax");
CODE(t_jump, "jmp *%ebx");
CODE(t_load, "mov %bx, %ds; mov $1, %eax");
CODE(t_port, "in $0x80, %al; mov $1, %eax");
CODE(t_raise, "int $0x40");
CODE(t_double, "fldl (%ebx); mov $1, %eax");

static void registers(const char *what)
{
    text("  ");
    text(what);
    text(": ecx ");
    hex(got.ecx, 8);
    text(" esi ");
    hex(got.esi, 8);
    text(" edi ");
    hex(got.edi, 8);
    text("\n");
}

static void operands(void)
{
    volatile uint32_t *end = (uint32_t *)(SCRATCH + PAGE - 4);

    map(1, 0);
    try_with("read over the end", 3, t_read, SECOND - 2, 0);
    *end = 0x11111111;
    try_with("write over the end", 3, t_write, SECOND - 2, 0);
    line("  first part", *end, 8);
    try_with("double over the end", 3, t_double, SECOND - 4, 0);
    map(0, 0);
    try_with("read, both absent", 3, t_read, SECOND - 2, 0);
    map(1, ALL);
    try_with("read, first absent", 3, t_read, SECOND - 2, 0);
    map(0, PRESENT | USER);
    try_with("write, first read-only", 3, t_write, SECOND - 2, 0);
    map(0, ALL);
}

static void stack(const char *what, const char *code, uint32_t esp)
{
    try_with(what, 3, code, esp, 0);
    line("  esp", got.esp, 8);
}

static void stacks(void)
{
    map(0, 0);
    stack("push", t_push, SECOND);
    stack("push over the start", t_push, SECOND + 2);
    stack("pusha", t_pusha, SECOND + 0x10);
    stack("call", t_call, SECOND);
    aim(CODE3 | 3, landed);
    stack("far call", t_far_call, SECOND + 4);
    stack("enter", t_enter, SECOND + 4);
    map(0, ALL);
    map(1, 0);
    stack("pop", t_pop, SECOND);
    stack("pop over the end", t_pop, SECOND - 2);
    stack("ret", t_ret, SECOND);
    try_with("pop to memory", 3, t_pop_memory, SECOND, 0);
    line("  esp", got.esp - (uint32_t)ring_stack_top, 8);
    map(1, ALL);
}

static void strings(void)
{
    map(1, 0);
    try_with("movs from", 3, t_move, SECOND - 3, 0);
    registers("after 3 of 8");
    try_with("stosw to", 3, t_store, SECOND - 5, 0);
    registers("after 2 of 8");
    map(1, ALL);
    map(0, 0);
    try_with("stosb down", 3, t_down, SECOND + 2, 0);
    registers("after 3 of 8");
    map(0, ALL);
}

/* MOV $1,%eax begins in the first page and ends in the second. */
static void code(void)
{
    volatile uint8_t *at = (uint8_t *)(SCRATCH + PAGE - 3);

    at[0] = 0xB8;
    at[1] = 1;
    at[2] = at[3] = at[4] = 0;
    at[5] = 0xCD;
    at[6] = DONE;
    in.ebx = SECOND - 3;
    run(3, t_jump);
    show("code over the end", (void *)(SECOND - 3));
    map(1, 0);
    run(3, t_jump);
    show("code over the end, absent", (void *)(SECOND - 3));
    map(1, ALL);
}

static void tables(void)
{
    volatile uint32_t *entry = (uint32_t *)(SCRATCH + 8);

    entry[0] = 0xFFF;
    entry[1] = (DATA | RING3) << 8;
    set(SLOT(0), WINDOW, 0xFFF, LDT, 0);
    use_ldt(SLOT(0));
    map(0, PRESENT | WRITABLE);
    try_with("ldt in a supervisor page", 3, t_load, 8 | LDT_BIT | 3, 0);
    entry[1] = (DATA | RING3) << 8;
    map(0, PRESENT);
    write_protect(1);
    in.ebx = 8 | LDT_BIT | 3;
    run(3, t_load);
    line("ldt read-only, wp: error", got.error, 4); /* the accessed bit */
    write_protect(0);
    map(0, 0);
    try_with("ldt absent", 3, t_load, 8 | LDT_BIT | 3, 0);
    use_ldt(0);
    task.esp0 = WINDOW + 0x100;
    try("int, inner stack absent", 3, t_raise);
    task.esp0 = (uint32_t)trap_stack_top;
    map(0, ALL);
}

/* A TSS whose I/O bitmap lies in the next page. */
static void bitmap(void)
{
    struct tss32 *moved = (struct tss32 *)(WINDOW + PAGE - 0x68);
    uint32_t n;

    for (n = 0; n < 0x68 / 4; n++)
        ((uint32_t *)moved)[n] = ((uint32_t *)&task)[n];
    moved->bitmap = 0x68;
    set(TASK, (uint32_t)moved, 0xFFF, TSS32, 0);
    __asm__ volatile("ltr %w0" : : "r"(TASK));
    map(1, 0);
    try("i/o bitmap absent", 3, t_port);
    map(1, ALL);
    use_task();
}

void test_page_straddling(void)
{
    topic("page straddling");
    paging_on();
    operands();
    stacks();
    strings();
    code();
    tables();
    bitmap();
    paging_off();
}
