/*
 * access.c: the program's access to a register. No program has such a page,
 * so the access faults, and io performs it: the instruction is taken apart
 * here as far as compilers make it for a word in memory.
 */
#include "lib/options.h"
#include "drivers/drivers.h"
#include "memory/layout.h"
#include "memory/memory.h"
#include "posix/posix.h"
#include "process/trapframe.h"

#define CF_TO_OF 0x8D5u /* CF PF AF ZF SF OF */

enum action { LOAD, STORE, EXTEND, SIGN, EXCHANGE, TEST, ALU, NONE };
enum { ADD, OR, ADC, SBB, AND, SUB, XOR, CMP };

struct access {
    enum action action;
    u32 alu;       /* what ALU does */
    u32 bytes;     /* of the operand in memory: 1, 2, 4 */
    u32 reg;       /* number of the other operand, */
    bool constant; /* or it is this one: */
    u32 value;
    bool to_memory; /* ALU: the result's place */
    u32 address, length;
};

static u32 *register_of(struct trapframe *f, u32 number)
{
    u32 *const registers[] = {&f->eax, &f->ecx, &f->edx, &f->ebx,
                              &f->esp, &f->ebp, &f->esi, &f->edi};

    return registers[number];
}

static u32 get(struct trapframe *f, u32 number, u32 bytes)
{
    if (bytes == 1)
        return *register_of(f, number & 3) >> (number & 4 ? 8 : 0) & 0xFF;
    return *register_of(f, number) & (bytes == 2 ? 0xFFFF : 0xFFFFFFFF);
}

static void put(struct trapframe *f, u32 number, u32 bytes, u32 value)
{
    u32 shift = bytes == 1 && (number & 4) ? 8 : 0;
    u32 mask = bytes == 4 ? ~0u : ((1u << 8 * bytes) - 1) << shift;
    u32 *to = register_of(f, bytes == 1 ? number & 3 : number);

    *to = (*to & ~mask) | (value << shift & mask);
}

static u32 number_at(const u8 *at, u32 bytes)
{
    if (bytes == 1)
        return (u32) * (const int8_t *)at;
    return bytes == 2 ? *(const u16 *)at : *(const u32 *)at;
}

/* ModRM and what follows; its length, or 0: it names no memory. */
static u32 take_address(struct trapframe *f, const u8 *at, struct access *a)
{
    u32 mode = at[0] >> 6, base = at[0] & 7, length = 1;

    a->reg = at[0] >> 3 & 7;
    a->address = 0;
    if (mode == 3)
        return 0;
    if (base == 4) {
        u8 sib = at[length++];

        if ((sib >> 3 & 7) != 4)
            a->address = *register_of(f, sib >> 3 & 7) << (sib >> 6);
        base = sib & 7;
    }
    if (mode == 0 && base == 5) {
        a->address += number_at(at + length, 4);
        return length + 4;
    }
    a->address += *register_of(f, base);
    if (mode == 1)
        a->address += number_at(at + length, 1);
    else if (mode == 2)
        a->address += number_at(at + length, 4);
    return length + (mode == 1 ? 1 : mode == 2 ? 4 : 0);
}

static void take_constant(struct access *a, const u8 *at, u32 bytes)
{
    a->constant = true;
    a->value = number_at(at, bytes);
    a->length += bytes;
}

/* MOV to and from EAX with an address in the instruction. */
static void take_direct(struct access *a, const u8 *at, u8 code)
{
    a->action = code < 0xA2 ? LOAD : STORE;
    a->reg = 0;
    a->address = number_at(at, 4);
    a->length += 4;
}

static void take_group(struct access *a, u8 code, const u8 *at)
{
    u32 which = a->reg, bytes = a->bytes == 1 || code == 0x83 ? 1 : a->bytes;

    if (code >= 0xF6)
        a->action = which == 0 ? TEST : NONE;
    else if (code >= 0xC6)
        a->action = which == 0 ? STORE : NONE;
    else
        a->action = ALU;
    a->alu = which;
    a->to_memory = true;
    take_constant(a, at, bytes);
}

static enum action action_of(u8 code)
{
    if (code < 0x40 && (code & 7) < 4)
        return ALU;
    switch (code & 0xFE) {
    case 0x84:
        return TEST;
    case 0x86:
        return EXCHANGE;
    case 0x88:
        return STORE;
    case 0x8A:
        return LOAD;
    default:
        return NONE;
    }
}

static bool has_group(u8 code)
{
    return code == 0x80 || code == 0x81 || code == 0x83 || code == 0xC6 ||
           code == 0xC7 || code == 0xF6 || code == 0xF7;
}

/* Opcodes behind 0Fh: MOVZX and MOVSX, into 32 bits. */
static void take_extension(struct trapframe *f, const u8 *at, struct access *a)
{
    u8 code = *at++;

    if ((code & 0xF6) != 0xB6)
        return;
    a->action = code & 8 ? SIGN : EXTEND;
    a->bytes = code & 1 ? 2 : 1;
    a->length += 1 + take_address(f, at, a);
}

static struct access decode(struct trapframe *f)
{
    const u8 *start = (const u8 *)f->eip, *at = start;
    struct access a = {.action = NONE, .bytes = 4};
    u8 code;

    while (*at == 0x66 || *at == 0xF0)
        if (*at++ == 0x66)
            a.bytes = 2;
    code = *at++;
    a.length = (u32)(at - start);
    if (code == 0x0F) {
        take_extension(f, at, &a);
        return a;
    }
    if (!(code & 1))
        a.bytes = 1;
    if (code >= 0xA0 && code <= 0xA3) {
        take_direct(&a, at, code);
        return a;
    }
    if (!has_group(code) && action_of(code) == NONE)
        return a;
    a.length += take_address(f, at, &a);
    if (has_group(code)) {
        take_group(&a, code, start + a.length);
    } else {
        a.action = action_of(code);
        a.alu = code >> 3;
        a.to_memory = !(code & 2);
    }
    return a;
}

/* ADC and SBB would need the carry; nobody uses them on a register. */
static u32 calculate(struct trapframe *f, u32 alu, u32 left, u32 right,
                     u32 bytes)
{
    u32 shift = 32 - 8 * bytes, flags = f->eflags;

    left <<= shift;
    right <<= shift;
#define CASE(number, operation)                      \
    case number:                                     \
        __asm__(operation " %2, %0; pushfl; popl %1" \
                : "+r"(left), "=r"(flags)            \
                : "r"(right)                         \
                : "cc");                             \
        break
    switch (alu) {
        CASE(ADD, "addl");
        CASE(OR, "orl");
        CASE(AND, "andl");
        CASE(XOR, "xorl");
        CASE(SUB, "subl");
        CASE(CMP, "subl");
    }
#undef CASE
    f->eflags = (f->eflags & ~CF_TO_OF) | (flags & CF_TO_OF);
    return left >> shift;
}

/* Word of the register with the bytes of the operand in their place. */
static u32 merged(u32 word, u32 value, const struct access *a)
{
    u32 shift = a->address % 4 * 8;
    u32 mask = (a->bytes == 4 ? ~0u : (1u << 8 * a->bytes) - 1) << shift;

    return (word & ~mask) | (value << shift & mask);
}

/* Interrupting another core is an OR: one message, not two. */
static s32 set_bits(struct trapframe *f, u32 physical, u32 bits)
{
    u32 old = 0;
    s32 result = chip_set(physical, bits, &old);

    if (result == L4_OK)
        calculate(f, OR, old, bits, 4);
    return result;
}

static s32 perform(struct trapframe *f, const struct access *a)
{
    u32 physical = vm_physical(a->address) & ~3u, word = 0, old, value;
    u32 other = a->constant ? a->value : get(f, a->reg, a->bytes);
    bool reads = a->action != STORE || a->bytes != 4;
    s32 result;

    if (a->action == ALU && a->alu == OR && a->to_memory && a->bytes == 4)
        return set_bits(f, physical, other);
    result = reads ? chip_read(physical, &word) : L4_OK;
    if (result)
        return result;
    old = word >> a->address % 4 * 8;
    if (a->bytes < 4)
        old &= (1u << 8 * a->bytes) - 1;
    switch (a->action) {
    case LOAD:
        put(f, a->reg, a->bytes, old);
        return L4_OK;
    case EXTEND:
    case SIGN:
        put(f, a->reg, 4,
            a->action == EXTEND ? old
            : a->bytes == 1     ? (u32)(s32)(int8_t)old
                                : (u32)(s32)(s16)old);
        return L4_OK;
    case TEST:
        calculate(f, AND, old, other, a->bytes);
        return L4_OK;
    case ALU:
        value = a->to_memory ? calculate(f, a->alu, old, other, a->bytes)
                             : calculate(f, a->alu, other, old, a->bytes);
        if (a->alu == CMP)
            return L4_OK;
        if (a->to_memory)
            return chip_write(physical, merged(word, value, a));
        put(f, a->reg, a->bytes, value);
        return L4_OK;
    case EXCHANGE:
        put(f, a->reg, a->bytes, old);
        return chip_write(physical, merged(word, other, a));
    default:
        return chip_write(physical, merged(word, other, a));
    }
}

/* Leaves the frame behind the instruction, or as it was, with the exception
 * that it causes. */
void access_register(struct trapframe *f)
{
    struct access a = decode(f);
    bool known = a.action != NONE && a.alu != ADC && a.alu != SBB &&
                 a.address % 4 + a.bytes <= 4 && vm_present(a.address, false);

    if (known && perform(f, &a) == L4_OK) {
        f->eip += a.length;
        f->vector = VECTOR_SPURIOUS;
        return;
    }
    print("l4: core %u: EIP %08x: %s\n", options.core, f->eip,
          known ? "io does not permit this access to the chip"
                : "this instruction cannot be used on registers of the chip");
    f->vector = TRAP_PROTECTION;
}
