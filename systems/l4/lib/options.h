/*
 * options.h: the numbers on the command line, for root tasks and others that
 * have sigma0.
 */
#ifndef LIB_OPTIONS_H
#define LIB_OPTIONS_H

#include "lib/l4.h"

#define OPTIONS_SEEN 0x50000000u /* the page of the command line is here */

/* The number behind the first `key`, which ends with "="; 0 without one. */
static inline uint32_t option(const char *key)
{
    static const char *line;
    const struct l4_boot *boot = (const void *)L4_BOOT_INFORMATION;
    uint32_t value = 0;

    if (!line) {
        if (take_pages_at(boot->command_line & -4096u, OPTIONS_SEEN, 1, 0)) {
            say("there is no command line\n");
            halt(1);
        }
        line = (const char *)OPTIONS_SEEN + boot->command_line % 4096;
    }
    for (const char *at = line; *at; at++) {
        const char *k = key, *a = at;

        while (*k && *a == *k)
            a++, k++;
        if (*k)
            continue;
        while (*a >= '0' && *a <= '9')
            value = value * 10 + (uint32_t)(*a++ - '0');
        return value;
    }
    return 0;
}

#endif
