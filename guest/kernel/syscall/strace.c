/* --strace: one line on COM2 for each system call, name(arguments) = result.
 *
 * The line is printed in two parts, so that a call which never returns is
 * seen too. */
#include "defs.h"

#define TEXT_SHOWN 48u

static void print_text(u32 address, u32 length)
{
    char text[TEXT_SHOWN * 4 + 1];
    u32 out = 0;
    u32 shown = length < TEXT_SHOWN ? length : TEXT_SHOWN;

    if (!user_readable(address, shown)) {
        print("0x%x", address);
        return;
    }
    for (u32 n = 0; n < shown; n++) {
        u8 c = *(const u8 *)(address + n);

        if (c == '\n')
            out += format_text(text + out, 5, "\\n");
        else if (c < ' ' || c > '~' || c == '"' || c == '\\')
            out += format_text(text + out, 5, "\\x%02x", c);
        else
            text[out++] = (char)c;
    }
    text[out] = 0;
    print("\"%s\"%s", text, shown < length ? "..." : "");
}

static void print_argument(char kind, u32 value, u32 next)
{
    char path[PATH_MAX];
    s32 length;

    switch (kind) {
    case 'd':
        print("%d", value);
        break;
    case 'o':
        print("0%o", value);
        break;
    case 's':
        length = copy_in_string(path, value, PATH_MAX);
        if (length < 0)
            print("0x%x", value);
        else
            print_text(value, (u32)length);
        break;
    case 'b':
        print_text(value, next);
        break;
    default:
        print(value ? "0x%x" : "%x", value);
    }
}

void strace_call(const char *name, const char *format, const u32 *args)
{
    print("[%u] %s(", options.core, name);
    for (u32 n = 0; format[n]; n++) {
        if (n > 0)
            print(", ");
        print_argument(format[n], args[n], n < 5 ? args[n + 1] : 0);
    }
    print(")");
}

void strace_result(s32 result)
{
    /* Addresses look like large negative numbers; errors are small ones. */
    if (result < -4095)
        print(" = 0x%x\n", (u32)result);
    else
        print(" = %d\n", result);
}
