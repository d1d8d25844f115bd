// What a program asks for that is not there: each is reported with what, where and what to do.
// cc: -O2 -lsvp
// run: -n 4 --tag none -- place
// expect-exit: 1
// expect-stderr: svp: core 0: svp_place_of: there is no place 4 of 4
// expect-stderr: hint: svp_places\(\) tells how many there are
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "svp.h"

static void nothing(int index, void *arguments)
{
    (void)index;
    (void)arguments;
}

static void forgets(int index, void *arguments);
static void twice(int index, void *arguments);
static void leaves(int index, void *arguments);

static const struct svp_function plain = {.name = "plain", .run = nothing};
static const struct svp_function waits = {
    .name = "waits", .run = nothing, .globals = 1};
static const struct svp_function forgetful = {.name = "forgetful",
                                              .run = forgets};
static const struct svp_function writes = {
    .name = "writes", .run = twice, .shared = 1};
static const struct svp_function leaver = {.name = "leaver", .run = leaves};

static void forgets(int index, void *arguments)
{
    svp_family family;

    (void)index;
    (void)arguments;
    svp_create(&family, SVP_HERE, 0, 1, 1, 0, &plain, NULL);
}

static void twice(int index, void *arguments)
{
    (void)arguments;
    svp_pass_shared(0, svp_int(index));
    svp_pass_shared(0, svp_int(index));
}

static void leaves(int index, void *arguments)
{
    (void)index;
    (void)arguments;
    exit(0);
}

static void no_place(void)
{
    svp_place_of(4);
}

static void exclusive(void)
{
    svp_exclusive(svp_place_of(1), 16);
}

static void no_lut_entry(void)
{
    static char *const memory = (char *)0x54000000;

    svp_alloc(1);
    for (int place = 1; place < 4; place++)
        for (int segment = 0; segment < 16; segment++)
            svp_map(svp_place_of(place), memory + (segment << 24), 32);
}

static void no_room(void)
{
    svp_alloc(200u << 20);
    svp_alloc(200u << 20);
}

static void freed_twice(void)
{
    void *memory = svp_alloc(100);

    svp_free(memory);
    svp_free(memory);
}

static void synced_twice(void)
{
    svp_family family;

    svp_create(&family, svp_place_of(1), 0, 1, 1, 0, &plain, NULL);
    svp_sync(&family);
    svp_sync(&family);
}

static void one(svp_place place, const struct svp_function *function)
{
    svp_family family;

    svp_create(&family, place, 0, 1, 1, 0, function, NULL);
    if (function->shared)
        svp_put_shared(&family, 0, svp_int(1));
    svp_sync(&family);
}

static void not_written(void)
{
    one(svp_place_of(1), &waits);
}

static void not_synced(void)
{
    one(svp_place_of(2), &forgetful);
}

static void written_twice(void)
{
    one(svp_place_of(3), &writes);
}

static void left(void)
{
    one(svp_place_of(2), &leaver);
}

static void beyond(void)
{
    svp_map(svp_place_of(1), &plain, 4);
}

static void no_step(void)
{
    svp_family family;

    svp_create(&family, SVP_HERE, 0, 1, 0, 0, &plain, NULL);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } cases[] = {
        {"place", no_place},      {"exclusive", exclusive},
        {"lut", no_lut_entry},    {"room", no_room},
        {"free", freed_twice},    {"sync", synced_twice},
        {"global", not_written},  {"forgets", not_synced},
        {"twice", written_twice}, {"map", beyond},
        {"step", no_step},        {"leaves", left},
    };

    (void)argc;
    svp_start(strcmp(argv[1], "copies") == 0     ? SVP_COPY
              : strcmp(argv[1], "original") == 0 ? SVP_ORIGINAL
                                                 : SVP_REMAP,
              3);
    for (unsigned n = 0; n < sizeof cases / sizeof *cases; n++)
        if (strcmp(argv[1], cases[n].name) == 0)
            cases[n].run();
    printf("nothing was refused\n");
    return svp_end();
}
