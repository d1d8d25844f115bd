/* root.h: the declarations that the files of the root task share. */
#ifndef ROOT_H
#define ROOT_H

#include "lib/l4.h"

#define TASKS_MAX 8
#define TASK_NAME 12

struct plan_task {
    char name[TASK_NAME];
    const struct l4_module *module;
    const struct l4_module *program, *line; /* of a server for programs; null:
                                             * the last module, the core's */
    uint32_t priority, kilobytes;           /* of kernel memory */
    int shared;  /* another task has its module, too */
    int devices; /* it may have devices and registers */
    int server;  /* whose gate it gets; -1: nobody's */
};

/* plan.c: plan_read reads the plan into at most TASKS_MAX tasks and returns
 * their number; a wrong plan ends the core. plan_module: the module of this
 * name, or null. */
uint32_t plan_read(const char *text, uint32_t bytes, struct plan_task *tasks);
const struct l4_module *plan_module(const char *name);

/* image.c: module_show returns where this task sees the module; image_load maps
 * its ELF image into the task in slot `task` and returns the entry. */
const char *module_show(const struct l4_module *module);
uint32_t image_load(const struct plan_task *plan, uint32_t task);

/* root.c: prints an error, where %s is `name` and %d `number`, and ends the
 * core */
void fail(const char *format, const char *name, uint32_t number)
    __attribute__((noreturn));

#endif
