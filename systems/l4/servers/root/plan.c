/*
 * plan.c: the plan, a text file among the modules: what is started, in order.
 *
 *   # a comment
 *   task NAME MODULE [priority N] [kernel KILOBYTES] [devices] [uses NAME]
 *       [runs MODULE] [line MODULE]
 */
#include "servers/root/root.h"

#define PRIORITY 14
#define KILOBYTES 2048

static const struct l4_boot *boot = (const void *)L4_BOOT_INFORMATION;
static uint32_t line_number;

const struct l4_module *plan_module(const char *name)
{
    for (uint32_t n = 0; n < boot->module_count; n++)
        if (same_text(boot->modules[n].name, name))
            return &boot->modules[n];
    return NULL;
}

/* The next word of the line; an empty one at its end. */
static const char *take_word(const char *at, const char *end, char *word)
{
    uint32_t n = 0;

    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    while (at < end && *at != ' ' && *at != '\t' && *at != '\n') {
        if (n == L4_NAME_MAX - 1)
            fail("plan.txt, line %d: a word is too long", "", line_number);
        word[n++] = *at++;
    }
    word[n] = 0;
    return at;
}

static uint32_t number(const char *word)
{
    uint32_t value = 0;

    for (const char *at = word; *at; at++) {
        if (*at < '0' || *at > '9' || value > 100000)
            fail("plan.txt, line %d: %s is no number of 1 to 1000000", word,
                 line_number);
        value = value * 10 + (uint32_t)(*at - '0');
    }
    if (value == 0)
        fail("plan.txt, line %d: a number is missing, or 0", "", line_number);
    return value;
}

/* A task of an earlier line. */
static int task_named(const char *name, const struct plan_task *tasks,
                      uint32_t count)
{
    for (uint32_t n = 0; n < count; n++)
        if (same_text(tasks[n].name, name))
            return (int)n;
    fail("plan.txt, line %d: uses names no task of an earlier line: %s", name,
         line_number);
}

static const struct l4_module *known_module(const char *name)
{
    const struct l4_module *module = plan_module(name);

    if (!module)
        fail("plan.txt, line %d: there is no module %s", name, line_number);
    return module;
}

static const char *take_options(const char *at, const char *end,
                                struct plan_task *tasks, uint32_t count)
{
    struct plan_task *task = &tasks[count];
    char word[L4_NAME_MAX], value[L4_NAME_MAX];

    for (;;) {
        at = take_word(at, end, word);
        if (!word[0])
            return at;
        if (same_text(word, "devices")) {
            task->devices = 1;
            continue;
        }
        at = take_word(at, end, value);
        if (same_text(word, "priority"))
            task->priority = number(value);
        else if (same_text(word, "kernel"))
            task->kilobytes = number(value);
        else if (same_text(word, "uses"))
            task->server = task_named(value, tasks, count);
        else if (same_text(word, "runs"))
            task->program = known_module(value);
        else if (same_text(word, "line"))
            task->line = known_module(value);
        else
            fail("plan.txt, line %d: %s is not known here; known are "
                 "priority, kernel, devices, uses, runs, line",
                 word, line_number);
    }
}

static const char *take_task(const char *at, const char *end,
                             struct plan_task *tasks, uint32_t count)
{
    char word[L4_NAME_MAX];
    struct plan_task *task = &tasks[count];
    uint32_t n = 0;

    at = take_word(at, end, word);
    for (; word[n] && n < TASK_NAME - 1; n++)
        task->name[n] = word[n];
    if (!n || word[n])
        fail("plan.txt, line %d: a name has 1 to 11 characters: %s", word,
             line_number);
    for (n = 0; n < count; n++)
        if (same_text(tasks[n].name, task->name))
            fail("plan.txt, line %d: %s is there twice", word, line_number);
    at = take_word(at, end, word);
    task->module = known_module(word);
    for (n = 0; n < count; n++)
        if (tasks[n].module == task->module)
            tasks[n].shared = task->shared = 1;
    task->priority = PRIORITY;
    task->kilobytes = KILOBYTES;
    task->server = -1;
    return take_options(at, end, tasks, count);
}

/* How many tasks there are. */
uint32_t plan_read(const char *text, uint32_t bytes, struct plan_task *tasks)
{
    const char *at = text, *end = text + bytes;
    char word[L4_NAME_MAX];
    uint32_t count = 0;

    while (at < end) {
        line_number++;
        at = take_word(at, end, word);
        if (same_text(word, "task") && count < TASKS_MAX)
            at = take_task(at, end, tasks, count++);
        else if (word[0] && word[0] != '#')
            fail("plan.txt, line %d: %s is no line, or one task too many: "
                 "task NAME MODULE",
                 word, line_number);
        while (at < end && *at++ != '\n')
            ;
    }
    if (!count)
        fail("plan.txt starts no task: write task NAME MODULE", "", 0);
    return count;
}
