/*
 * stack.c: the program's first stack [sysv-abi-i386]: argc, argv, envp, the
 * auxiliary vector upwards from ESP, the strings above. Arguments come on the
 * kernel's command line, as those of our ordinary kernel: argv=prog,one,two
 * env=A=1,B=2, with %xx for blanks, commas and % itself.
 */
#include "posix/posix.h"

#define LINE 0x68000000u /* where the command line is seen */
#define LINE_PAGES 17
#define WORDS_MAX 1024

enum { AT_PHDR = 3, AT_PHENT, AT_PHNUM, AT_PAGESZ, AT_BASE, AT_ENTRY = 9 };
enum { AT_UID = 11, AT_EUID, AT_GID, AT_EGID, AT_SECURE = 23, AT_RANDOM = 25 };

static const struct l4_boot *boot = (const void *)L4_BOOT_INFORMATION;
static const char *line = "";
static uint32_t vector[WORDS_MAX], used;
static uint32_t top = STACK_TOP;

void command_line_read(void)
{
    uint32_t physical = boot->command_line;

    if (!physical)
        return;
    if (take_pages_at(physical & -PAGE, LINE, LINE_PAGES, 0))
        die("the command line cannot be seen", physical, 1);
    line = (const char *)LINE + physical % PAGE;
}

static uint32_t put(const void *bytes, uint32_t length)
{
    top -= length;
    if (memory_out(top, bytes, length))
        die("no memory for the stack", top, 1);
    return top;
}

static void word(uint32_t value)
{
    if (used == WORDS_MAX)
        die("the program has too many arguments", used, 1);
    vector[used++] = value;
}

static const char *value_of(const char *key)
{
    const char *at = line;

    while (*at) {
        const char *k = key, *a = at;

        while (*k && *a == *k)
            a++, k++;
        if (!*k)
            return a;
        while (*at && *at != ' ')
            at++;
        while (*at == ' ')
            at++;
    }
    return "";
}

static uint32_t digit(char c)
{
    return c <= '9' ? (uint32_t)(c - '0') : (uint32_t)((c | 0x20) - 'a' + 10);
}

/* Strings of a list, as words of the vector; how many. */
static uint32_t put_list(const char *at)
{
    uint32_t count = 0, length = 0;
    static char text[4096];

    if (!*at || *at == ' ')
        return 0;
    for (;; at++) {
        char c = *at;
        int ends = !c || c == ' ' || c == ',';

        if (length == sizeof(text))
            die("an argument is longer than 4095 bytes", count, 1);
        if (c == '%' && at[1] && at[2]) {
            c = (char)(digit(at[1]) << 4 | digit(at[2]));
            at += 2;
        }
        text[length++] = ends ? 0 : c;
        if (!ends)
            continue;
        word(put(text, length));
        length = 0;
        count++;
        if (!c || c == ' ')
            return count;
    }
}

static void pair(uint32_t type, uint32_t value)
{
    word(type);
    word(value);
}

/* Returns the first stack pointer. */
uint32_t stack_make(const struct elf_header *header, uint32_t headers_user)
{
    /* Random bytes are equal in every run, and differ from core to core. */
    uint32_t seed[4] = {boot->core, 0x9E3779B9 * (boot->core + 1), 1, 2};
    uint32_t random;

    if (region_add(STACK_TOP - STACK_BYTES, STACK_TOP, 1))
        die("no room for the stack", 0, 1);
    random = put(seed, sizeof(seed));
    word(0);
    vector[0] = put_list(value_of("argv="));
    word(0);
    put_list(value_of("env="));
    word(0);
    pair(AT_PHDR, headers_user);
    pair(AT_PHENT, sizeof(struct elf_segment));
    pair(AT_PHNUM, header->segment_count);
    pair(AT_PAGESZ, PAGE);
    pair(AT_BASE, 0);
    pair(AT_ENTRY, header->entry);
    pair(AT_UID, 0);
    pair(AT_EUID, 0);
    pair(AT_GID, 0);
    pair(AT_EGID, 0);
    pair(AT_SECURE, 0);
    pair(AT_RANDOM, random);
    pair(0, 0);
    top = (top - used * 4) & ~15u;
    if (memory_out(top, vector, used * 4))
        die("no memory for the stack", top, 1);
    return top;
}
