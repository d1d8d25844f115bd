/* The kernel's command line: key=value pairs separated by blanks.
 *
 *   core=12 ues=0,10,12 rank=2 mhz=533 stdin=0 strace=0 share=1 mounts=usr
 *   argv=prog,one,two env=A=1,B=2
 *
 * core: hardware number of this core; ues: hardware numbers of all cores of
 * the run in the order of their ranks, or when there are many ranges of them
 * (0-127), whose sum is in count= behind it; rank: this core's place in it;
 * stdin: 0 there is none, 1 it is a stream, 2 it is a terminal; mounts: more
 * folders by their names in /, in the order of the host's shares; chosen: who
 * takes this core out of reset chooses its program (start.c). In values a
 * byte may be written as %xx; blanks, commas and % must be.
 * Unknown keys are ignored.
 */
#include "lib/options.h"
#include "lib/string.h"
#include "lib/types.h"

struct options options = {.cores = "0", .core_count = 1};

/* Decoded text; what values point into. */
static OF_ALL_PROCESSES char storage[65536];
static u32 stored;

static u32 number(const char *text)
{
    u32 value = 0;

    while (*text >= '0' && *text <= '9')
        value = value * 10 + (u32)(*text++ - '0');
    return value;
}

static u32 hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return (u32)(c - '0');
    return (u32)((c | 0x20) - 'a' + 10);
}

static void store(char c)
{
    /* Decoding never makes text longer, and both buffers are of one size. */
    storage[stored++] = c;
}

/* Copies a value up to a blank, decoded; commas become separators. */
static char *decode(const char *text, char separator, u32 *count)
{
    char *start = storage + stored;

    *count = *text && *text != ' ';
    while (*text && *text != ' ') {
        char c = *text++;

        if (c == ',') {
            c = separator;
            *count += 1;
        } else if (c == '%' && text[0] && text[1]) {
            c = (char)(hex_digit(text[0]) << 4 | hex_digit(text[1]));
            text += 2;
        }
        store(c);
    }
    store(0);
    return start;
}

static bool take(const char *word, const char *key, const char **value)
{
    if (!string_starts(word, key))
        return false;
    *value = word + string_length(key);
    return true;
}

static void parse_word(const char *word)
{
    const char *value;

    if (take(word, "core=", &value))
        options.core = number(value);
    else if (take(word, "rank=", &value))
        options.rank = number(value);
    else if (take(word, "ues=", &value))
        options.cores = decode(value, ',', &options.core_count);
    else if (take(word, "mhz=", &value))
        options.megahertz = number(value);
    else if (take(word, "stdin=", &value))
        options.input = number(value);
    else if (take(word, "strace=", &value))
        options.strace = number(value) != 0;
    else if (take(word, "share=", &value))
        options.share = number(value) != 0;
    else if (take(word, "mounts=", &value))
        options.mounts = decode(value, 0, &options.mount_count);
    else if (take(word, "chosen=", &value))
        options.chosen = number(value) != 0;
    else if (take(word, "argv=", &value))
        options.arguments = decode(value, 0, &options.argument_count);
    else if (take(word, "env=", &value))
        options.environment = decode(value, 0, &options.environment_count);
    else if (take(word, "count=", &value))
        options.core_count = number(value);
}

void commandline_parse(const char *line)
{
    while (*line) {
        if (*line != ' ')
            parse_word(line);
        while (*line && *line != ' ')
            line++;
        while (*line == ' ')
            line++;
    }
}
