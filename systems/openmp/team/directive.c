/*
 * directive.c: what Clang calls for task, taskwait and taskgroup.
 */
#include "../openmp.h"

#include <stdlib.h>

struct crf_omp_body *__kmpc_omp_task_alloc(struct crf_place *place,
                                           int32_t thread, int32_t flags,
                                           uint32_t body_bytes,
                                           uint32_t shared_bytes, void *routine)
{
    uint32_t offset = (body_bytes + 7) & ~7u;
    struct crf_omp_header *header =
        malloc(sizeof *header + offset + shared_bytes);
    struct crf_omp_body *body;

    (void)place;
    (void)thread;
    if (!header)
        crf_fail("fewer tasks at a time", "no memory for a task");
    header->bytes = offset + shared_bytes;
    header->flags = flags;
    header->runs = 0;
    header->event = NULL;
    body = (struct crf_omp_body *)(void *)(header + 1);
    body->shareds = shared_bytes ? (char *)body + offset : NULL;
    body->routine = (int32_t (*)(int32_t, struct crf_omp_body *))routine;
    body->part = 0;
    return body;
}

/* An untied task asks for its own next part: that goes on here. */
int32_t __kmpc_omp_task(struct crf_place *place, int32_t thread,
                        struct crf_omp_body *body)
{
    (void)place;
    (void)thread;
    if (crf_omp_header(body)->runs)
        body->routine(crf_omp_thread, body);
    else
        crf_omp_submit(body, 0, NULL);
    return 0;
}

int32_t __kmpc_omp_task_with_deps(struct crf_place *place, int32_t thread,
                                  struct crf_omp_body *body, int32_t count,
                                  const struct crf_omp_depend *depends,
                                  int32_t more,
                                  const struct crf_omp_depend *no_alias)
{
    (void)place;
    (void)thread;
    (void)more; /* Clang gives none */
    (void)no_alias;
    crf_omp_submit(body, (uint32_t)count, depends);
    return 0;
}

void __kmpc_omp_wait_deps(struct crf_place *place, int32_t thread,
                          int32_t count, const struct crf_omp_depend *depends,
                          int32_t more, const struct crf_omp_depend *no_alias)
{
    (void)place;
    (void)thread;
    (void)more;
    (void)no_alias;
    if (crf_omp_self.size > 1)
        crf_omp_wait_depends((uint32_t)count, depends);
    crf_omp_events_wait();
}

void __kmpc_omp_taskwait_deps_51(struct crf_place *place, int32_t thread,
                                 int32_t count,
                                 const struct crf_omp_depend *depends,
                                 int32_t more,
                                 const struct crf_omp_depend *no_alias,
                                 int32_t nowait)
{
    (void)nowait;
    __kmpc_omp_wait_deps(place, thread, count, depends, more, no_alias);
}

/* if(0): the caller runs the task itself. */
void __kmpc_omp_task_begin_if0(struct crf_place *place, int32_t thread,
                               struct crf_omp_body *body)
{
    (void)place;
    (void)thread;
    crf_omp_header(body)->threads = crf_omp_self.threads;
}

void __kmpc_omp_task_complete_if0(struct crf_place *place, int32_t thread,
                                  struct crf_omp_body *body)
{
    (void)place;
    (void)thread;
    crf_omp_self.threads = crf_omp_header(body)->threads;
    free(crf_omp_header(body));
}

static int children_done(void)
{
    return CRF_OMP->task[crf_omp_self.task].children == 0;
}

int32_t __kmpc_omp_taskwait(struct crf_place *place, int32_t thread)
{
    (void)place;
    (void)thread;
    if (crf_omp_self.size > 1)
        crf_omp_wait(children_done, crf_omp_child);
    crf_order_acquire(&CRF_OMP->task[crf_omp_self.task].children);
    crf_omp_events_wait();
    return 0;
}

int32_t __kmpc_omp_taskyield(struct crf_place *place, int32_t thread,
                             int32_t part)
{
    (void)place;
    (void)thread;
    (void)part;
    return 0;
}

/* A group is a record whose children are the tasks in it. */
void __kmpc_taskgroup(struct crf_place *place, int32_t thread)
{
    struct crf_object *team;
    uint32_t group;

    (void)place;
    (void)thread;
    if (crf_omp_self.size == 1)
        return;
    team = crf_omp_team();
    group = crf_omp_new_record();
    if (!group)
        crf_fail("fewer taskgroups in each other",
                 "the table of tasks is full");
    CRF_OMP->task[group].group = crf_omp_self.group;
    crf_object_done(team);
    crf_omp_self.group = group;
}

static int group_done(void)
{
    return CRF_OMP->task[crf_omp_self.group].children == 0;
}

void __kmpc_end_taskgroup(struct crf_place *place, int32_t thread)
{
    struct crf_object *team;
    uint32_t group = crf_omp_self.group;

    (void)place;
    (void)thread;
    crf_omp_events_wait();
    if (crf_omp_self.size == 1)
        return;
    crf_omp_wait(group_done, crf_omp_in_group);
    crf_order_acquire(&CRF_OMP->task[group].state);
    crf_omp_end_reductions(group);
    team = crf_omp_team();
    crf_omp_self.group = CRF_OMP->task[group].group;
    crf_omp_free_record(group);
    crf_object_done(team);
}
