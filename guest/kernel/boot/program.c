/* The program's first stack and the first entry into ring 3.
 *
 * Layout as the i386 ELF ABI wants it [sysv-abi-i386]: argc, argv, envp and
 * the auxiliary vector upwards from ESP, the strings above.
 */
#include "defs.h"
#include "elf.h"
#include "region.h"
#include "trapframe.h"

#define CLOCK_TICKS 100u
/* CPUID's feature flags as Linux passes them on: FPU VME DE PSE TSC MSR MCE
 * CX8 APIC of a Pentium. */
#define HARDWARE_FLAGS 0x3BFu

static u32 put(u32 *stack, const void *bytes, u32 length)
{
    *stack -= length;
    memcpy((void *)*stack, bytes, length);
    return *stack;
}

static u32 put_string(u32 *stack, const char *text)
{
    return put(stack, text, string_length(text) + 1);
}

/* All strings of a list as one block; returns the address of the first. */
static u32 put_list(u32 *stack, const char *list, u32 count)
{
    const char *end = list;

    for (u32 n = 0; n < count; n++)
        end += string_length(end) + 1;
    return put(stack, list, (u32)(end - list));
}

static u32 *put_pointers(u32 *slot, u32 string, u32 count)
{
    for (u32 n = 0; n < count; n++) {
        *slot++ = string;
        string += string_length((const char *)string) + 1;
    }
    *slot++ = 0;
    return slot;
}

u32 program_stack(const char *name, u32 entry, u32 header, u32 headers)
{
    struct region region = {.start = STACK_TOP - STACK_SIZE,
                            .end = STACK_TOP,
                            .protection = PROT_READ | PROT_WRITE};
    u32 stack = STACK_TOP;
    u32 words;
    u32 *slot;
    u8 seed[16];

    if (region_add(&region))
        panic("no room for the stack of %s", name);
    random_bytes(seed, sizeof(seed));
    u32 file_name = put_string(&stack, name);
    u32 platform = put_string(&stack, "i586");
    u32 random = put(&stack, seed, sizeof(seed));
    u32 environment =
        put_list(&stack, options.environment, options.environment_count);
    u32 arguments = put_list(&stack, options.arguments, options.argument_count);

    const u32 auxiliary[] = {
        AT_PHDR,     header,
        AT_PHENT,    sizeof(struct elf_segment),
        AT_PHNUM,    headers,
        AT_PAGESZ,   PAGE_SIZE,
        AT_BASE,     0,
        AT_ENTRY,    entry,
        AT_UID,      0,
        AT_EUID,     0,
        AT_GID,      0,
        AT_EGID,     0,
        AT_SECURE,   0,
        AT_CLKTCK,   CLOCK_TICKS,
        AT_HWCAP,    HARDWARE_FLAGS,
        AT_PLATFORM, platform,
        AT_RANDOM,   random,
        AT_EXECFN,   file_name,
        AT_NULL,     0,
    };

    words = 1 + options.argument_count + 1 + options.environment_count + 1;
    stack = (stack - words * 4 - sizeof(auxiliary)) & ~15u;
    fetch_lines((const void *)(stack - STACK_USED), STACK_USED);
    slot = (u32 *)stack;
    *slot++ = options.argument_count;
    slot = put_pointers(slot, arguments, options.argument_count);
    slot = put_pointers(slot, environment, options.environment_count);
    memcpy(slot, auxiliary, sizeof(auxiliary));
    return stack;
}

void program_enter(u32 entry, u32 stack)
{
    struct trapframe frame = {
        .ds = USER_DS,
        .es = USER_DS,
        .eip = entry,
        .cs = USER_CS,
        .eflags = FLAG_INTERRUPT | 2,
        .esp = stack,
        .ss = USER_DS,
    };

    user_enter(&frame);
}
