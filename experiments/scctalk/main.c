/*
 * main.c: scctalk TEST...: both cores run the same tests in turn.
 *
 *   rtt:PLACE:NOTICE:ROUNDS                 round trips of 32 bytes
 *   thr:PLACE:NOTICE:SINK:PACKETS:SIZES     throughput
 * PLACE push, pull; NOTICE poll, irq; SINK read, stack, static, plain, allocate;
 * SIZES FIRST-LAST by 32 bytes, or FIRST*LAST by doubling or halving, up or
 * down; with `flush-` before it the caches are emptied between sizes.
 * `@BYTES` behind SINK: calls before the first size use so much stack.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scctalk.h"

static const char *const places[] = {"push", "pull", NULL};
static const char *const notices[] = {"poll", "irq", NULL};
static const char *const sinks[] = {"read",  "stack",    "static",
                                    "plain", "allocate", NULL};

static int find(const char *word, const char *const *known)
{
    for (int i = 0; known[i]; i++)
        if (word && strcmp(word, known[i]) == 0)
            return i;
    fprintf(stderr, "scctalk: '%s' is not known\n", word ? word : "nothing");
    exit(2);
}

static size_t next_size(size_t size, size_t last, char step)
{
    if (step == '*')
        return size < last ? 2 * size : size / 2;
    return size < last ? size + LINE : size - LINE;
}

static void all_sizes(struct way way, int packets, const char *sizes,
                      const char *name)
{
    way.flush = strncmp(sizes, "flush-", 6) == 0;
    char *end;
    size_t size = strtoul(sizes + (way.flush ? 6 : 0), &end, 10);
    char step = *end;
    size_t last = step ? strtoul(end + 1, NULL, 10) : size;

    for (;; size = next_size(size, last, step)) {
        if (!throughput(way, size, packets, name)) {
            fprintf(stderr, "scctalk: %s: wrong data\n", name);
            exit(3);
        }
        if (size == last)
            break;
        way.depth = 0;
    }
}

static void run(const char *test)
{
    char text[80], *kind;
    struct way way = {.sink = READ};

    strncpy(text, test, sizeof(text) - 1);
    text[sizeof(text) - 1] = 0;
    kind = strtok(text, ":");
    way.place = (enum place)find(strtok(NULL, ":"), places);
    way.notice = (enum notice)find(strtok(NULL, ":"), notices);
    if (kind && strcmp(kind, "rtt") == 0) {
        round_trips(way, atoi(strtok(NULL, ":")), test);
        return;
    }
    char *sink = strtok(NULL, ":");
    char *depth = sink ? strchr(sink, '@') : NULL;

    if (depth) {
        *depth = 0;
        way.depth = strtoul(depth + 1, NULL, 10);
    }
    way.sink = (enum sink)find(sink, sinks);
    int packets = atoi(strtok(NULL, ":"));
    all_sizes(way, packets, strtok(NULL, ":"), test);
}

int main(int argc, char **argv)
{
    if (!mpb_open() || !notify_open()) {
        fprintf(stderr, "scctalk: needs core 0 and one other core\n");
        return 1;
    }
    if (is_core_0())
        touch_memory();
    if (is_core_0())
        mpb_invalidate();
    else
        wait_until_free();
    for (int i = 1; i < argc; i++)
        run(argv[i]);
    return 0;
}
