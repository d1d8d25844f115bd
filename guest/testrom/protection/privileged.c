/*
 * privileged.c: what only ring 0, or a ring within IOPL, may do.
 *
 * Developer's Manual vol. 3, 12.7 (privileged instructions: CPL 0), 15.2
 * (IOPL: CLI, STI), 10.1.3 (CR4: TSD, reserved bits), chapter 25.
 */
#include "testrom.h"

static const uint16_t no_table[3];
extern const uint16_t *const table_place;
const uint16_t *const table_place = no_table;

#define PRIVILEGED(name, code) CODE(name, "mov table_place, %ebx;" code)
PRIVILEGED(p_hlt, "hlt");
PRIVILEGED(p_clts, "clts");
PRIVILEGED(p_lmsw, "lmsw %ax");
PRIVILEGED(p_lgdt, "lgdt (%ebx)");
PRIVILEGED(p_lidt, "lidt (%ebx)");
PRIVILEGED(p_invd, "invd");
PRIVILEGED(p_wbinvd, "wbinvd");
PRIVILEGED(p_invlpg, "invlpg (%ebx)");
PRIVILEGED(p_read_cr0, "mov %cr0, %eax");
PRIVILEGED(p_write_cr0, "mov %eax, %cr0");
PRIVILEGED(p_write_cr3, "mov %eax, %cr3");
PRIVILEGED(p_read_dr7, "mov %dr7, %eax");
PRIVILEGED(p_write_dr0, "mov %eax, %dr0");
PRIVILEGED(p_rdmsr, "mov $0x10, %ecx; rdmsr");
PRIVILEGED(p_wrmsr, "mov $0x10, %ecx; wrmsr");
PRIVILEGED(p_cli, "cli");
PRIVILEGED(p_sti, "sti");
PRIVILEGED(p_smsw, "smsw %ax; and $1, %eax");
PRIVILEGED(p_sgdt, "sub $8, %esp; sgdt (%esp); movzwl (%esp), %eax");
PRIVILEGED(p_sidt, "sub $8, %esp; sidt (%esp); movzwl (%esp), %eax");
PRIVILEGED(p_str, "str %eax");
PRIVILEGED(p_sldt, "sldt %eax");
PRIVILEGED(p_rdtsc, "rdtsc; mov $1, %eax");
PRIVILEGED(p_bad_msr, "mov $0x4000, %ecx; rdmsr");
PRIVILEGED(p_popf, "push $0x3202; popf; pushf; pop %eax");
PRIVILEGED(p_paging_only, "mov $0x80000000, %eax; mov %eax, %cr0");
PRIVILEGED(p_nw_only, "mov $0x20000011, %eax; mov %eax, %cr0");
PRIVILEGED(p_bad_cr4, "mov $0x80000000, %eax; mov %eax, %cr4");
PRIVILEGED(p_lmsw_pe, "xor %eax, %eax; lmsw %ax; smsw %ax; and $1, %eax");
PRIVILEGED(p_cr0_et, "mov %cr0, %ecx; mov %ecx, %eax; and $~0x10, %eax;"
                     "mov %eax, %cr0; mov %cr0, %eax; mov %ecx, %cr0;"
                     "and $0x10, %eax");

static void ring3(void)
{
    try("hlt", 3, p_hlt);
    try("clts", 3, p_clts);
    try("lmsw", 3, p_lmsw);
    try("lgdt", 3, p_lgdt);
    try("lidt", 3, p_lidt);
    try("invd", 3, p_invd);
    try("wbinvd", 3, p_wbinvd);
    try("invlpg", 3, p_invlpg);
    try("read cr0", 3, p_read_cr0);
    try("write cr0", 3, p_write_cr0);
    try("write cr3", 3, p_write_cr3);
    try("read dr7", 3, p_read_dr7);
    try("write dr0", 3, p_write_dr0);
    try("rdmsr", 3, p_rdmsr);
    try("wrmsr", 3, p_wrmsr);
    try("cli", 3, p_cli);
    try("sti", 3, p_sti);
    try("smsw", 3, p_smsw);
    try("sgdt limit", 3, p_sgdt);
    try("sidt limit", 3, p_sidt);
    try("str", 3, p_str);
    try("sldt", 3, p_sldt);
    try("rdtsc", 3, p_rdtsc);
    try("popf leaves iopl and if", 3, p_popf);
}

void test_privileged(void)
{
    topic("privileged");
    ring3();
    /* Level 1 is not enough either, whatever IOPL says. */
    in.eflags = FLAG_IOPL(3) | 2;
    try("hlt, ring 1", 1, p_hlt);
    try("cli, iopl 3", 3, p_cli);
    try("popf, iopl 3", 3, p_popf);
    in.eflags = 2;
    try("popf, ring 0", 0, p_popf);
    __asm__ volatile("mov %0, %%cr4" : : "r"(4)); /* TSD */
    try("rdtsc, tsd", 3, p_rdtsc);
    try("rdtsc, tsd, ring 0", 0, p_rdtsc);
    __asm__ volatile("mov %0, %%cr4" : : "r"(0));
    try("unknown msr", 0, p_bad_msr);
    try("pg without pe", 0, p_paging_only);
    try("nw without cd", 0, p_nw_only);
    try("cr4 reserved bit", 0, p_bad_cr4);
    try("lmsw keeps pe", 0, p_lmsw_pe);
    try("et stays one", 0, p_cr0_et);
}
