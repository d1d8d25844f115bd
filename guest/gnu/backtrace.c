/*
 * backtrace.c: callers by the frame pointers that `rck cc` keeps.
 */
#include <execinfo.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TEXT 16 /* bytes of "[0x12345678]" and its end */

struct frame {
    struct frame *caller;
    void *back;
};

extern char __executable_start, etext;

static int is_code(const void *address)
{
    return (const char *)address >= &__executable_start &&
           (const char *)address < &etext;
}

int backtrace(void **addresses, int most)
{
    const struct frame *at = __builtin_frame_address(0);
    int count = 0;

    /* A caller's frame lies above; code without frames ends the chain. */
    while (count < most && is_code(at->back)) {
        addresses[count++] = at->back;
        if ((uintptr_t)at->caller <= (uintptr_t)at ||
            (uintptr_t)at->caller % sizeof(void *))
            break;
        at = at->caller;
    }
    return count;
}

char **backtrace_symbols(void *const *addresses, int count)
{
    char **texts = malloc((size_t)count * (sizeof *texts + TEXT) + 1);
    char *text = (char *)(texts + count);

    for (int i = 0; texts && i < count; i++, text += TEXT) {
        texts[i] = text;
        snprintf(text, TEXT, "[%p]", addresses[i]);
    }
    return texts;
}

void backtrace_symbols_fd(void *const *addresses, int count, int file)
{
    for (int i = 0; i < count; i++)
        dprintf(file, "[%p]\n", addresses[i]);
}
