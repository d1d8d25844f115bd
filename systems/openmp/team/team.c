/*
 * team.c: parallel regions. The threads of the first region stay: between
 * regions they wait.
 *
 * A region inside another one has one thread.
 */
#include "../openmp.h"

#include <errno.h>

_Thread_local struct crf_omp_self crf_omp_self = {.size = 1};
_Thread_local int crf_omp_thread;

void crf_omp_call(void *function, uint32_t count, const uint32_t *arguments)
{
    int32_t thread = crf_omp_thread, bound = 0;
    uint32_t pushed[CRF_OMP_ARGUMENTS + 2] = {(uint32_t)&thread,
                                              (uint32_t)&bound};
    uint32_t bytes = (count + 2) * 4, *from = pushed;

    for (uint32_t n = 0; n < count; n++)
        pushed[n + 2] = arguments[n];
    __asm__ volatile("movl %%esp, %%ebx\n\t"
                     "subl %%ecx, %%esp\n\t"
                     "andl $-16, %%esp\n\t"
                     "movl %%esp, %%edi\n\t"
                     "shrl $2, %%ecx\n\t"
                     "rep movsl\n\t"
                     "call *%%eax\n\t"
                     "movl %%ebx, %%esp\n\t"
                     : "+a"(function), "+c"(bytes), "+S"(from)
                     :
                     : "ebx", "edx", "edi", "memory", "cc");
}

static void enter(int number)
{
    crf_omp_self = (struct crf_omp_self){.number = number,
                                         .size = (int)CRF_OMP->size,
                                         .level = 1,
                                         .active = (int)CRF_OMP->size,
                                         .threads = (int)CRF_OMP->threads,
                                         .limit = (int)CRF_OMP->limit,
                                         .allocator = CRF_OMP->allocator};
    crf_omp_thread = number;
    crf_omp_schedule = (omp_sched_t)CRF_OMP->schedule;
    crf_omp_chunk = (int)CRF_OMP->chunk;
    crf_omp_task_start();
}

static void take_part(int number)
{
    struct crf_omp_self before = crf_omp_self;
    uint32_t arguments[CRF_OMP_ARGUMENTS], count = CRF_OMP->count;

    for (uint32_t n = 0; n < count; n++)
        arguments[n] = CRF_OMP->argument[n];
    enter(number);
    crf_omp_call((void *)CRF_OMP->function, count, arguments);
    crf_omp_barrier();
    crf_omp_self = before;
    crf_omp_thread = 0;
}

/* `argument`: the thread's number, and the last region that is not its own. */
static void *work(void *argument)
{
    int number = (int)((uint32_t)argument % CRF_OMP_THREADS);
    uint32_t seen = (uint32_t)argument / CRF_OMP_THREADS;

    for (;;) {
        struct crf_object *team = crf_omp_team();
        int taken;

        if ((CRF_OMP->region & CRF_OMP_REGIONS) == seen) {
            crf_enqueue(team, &team->others);
            crf_sleep();
            continue;
        }
        seen = CRF_OMP->region & CRF_OMP_REGIONS;
        taken = number < (int)CRF_OMP->size; /* of this region, not the next */
        crf_object_done(team);
        if (!taken)
            continue;
        crf_acquire_from((const void *)&CRF_OMP->region);
        take_part(number);
    }
    return NULL;
}

/* Threads for a team of so many, or as many as there is room for. */
static uint32_t grow(uint32_t wanted)
{
    pthread_attr_t detached;
    pthread_t thread;

    pthread_attr_init(&detached);
    pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
    while (CRF_OMP->workers + 1 < wanted) {
        uint32_t number = CRF_OMP->workers + 1;
        uint32_t seen = CRF_OMP->region & CRF_OMP_REGIONS;

        if (pthread_create(&thread, &detached, work,
                           (void *)(seen * CRF_OMP_THREADS + number)))
            break;
        crf_control->thread[(uintptr_t)thread].detached = CRF_POOLED;
        CRF_OMP->workers = number;
    }
    return CRF_OMP->workers + 1 < wanted ? CRF_OMP->workers + 1 : wanted;
}

static int only_one(void *function, uint32_t count, const uint32_t *arguments)
{
    struct crf_omp_self before = crf_omp_self;

    crf_omp_self.number = 0;
    crf_omp_self.size = 1;
    crf_omp_self.level++;
    crf_omp_call(function, count, arguments);
    crf_omp_events_wait();
    crf_omp_self = before;
    return 1;
}

/* One team at a time: that of another pthread makes this one wait for none. */
static int take_team(void)
{
    struct crf_object *team = crf_omp_team();
    int free = !CRF_OMP->busy;

    CRF_OMP->busy = 1;
    crf_object_done(team);
    return free;
}

static void publish(uint32_t size, void *function, uint32_t count,
                    const uint32_t *arguments)
{
    struct crf_object *team;
    uint32_t all;

    crf_release_to((const void *)&CRF_OMP->region);
    team = crf_omp_team();
    CRF_OMP->size = size;
    CRF_OMP->function = (uint32_t)function;
    CRF_OMP->count = count;
    for (uint32_t n = 0; n < count; n++)
        CRF_OMP->argument[n] = arguments[n];
    for (uint32_t n = 0; n < count; n++)
        crf_order_shares(arguments[n], n, function);
    CRF_OMP->schedule = (uint32_t)crf_omp_schedule;
    CRF_OMP->chunk = (uint32_t)crf_omp_chunk;
    CRF_OMP->threads = (uint32_t)crf_omp_self.threads;
    CRF_OMP->limit = (uint32_t)crf_omp_self.limit;
    CRF_OMP->allocator = (uint32_t)crf_omp_self.allocator;
    CRF_OMP->arrived = CRF_OMP->singles = 0;
    for (uint32_t n = 0; n < CRF_OMP_LOOPS; n++) {
        CRF_OMP->loop[n].number = n;
        CRF_OMP->loop[n].ended = 0;
        CRF_OMP->loop[n].next = CRF_OMP->loop[n].ordered = 0;
        CRF_OMP->doacross[n].number = n;
        CRF_OMP->doacross[n].ended = CRF_OMP->doacross[n].done = 0;
    }
    CRF_OMP->region++;
    all = crf_take_all(&team->others);
    crf_object_done(team);
    crf_wake_chain(all);
}

void crf_omp_arguments(uint32_t *to, int32_t count, va_list from)
{
    if (count > CRF_OMP_ARGUMENTS)
        crf_fail("put some of them into a struct",
                 "a parallel region uses %d variables of the function around "
                 "it, of %d at most",
                 (int)count, CRF_OMP_ARGUMENTS);
    for (int32_t n = 0; n < count; n++)
        to[n] = va_arg(from, uint32_t);
}

void __kmpc_fork_call(struct crf_place *place, int32_t count, void *function,
                      ...)
{
    uint32_t arguments[CRF_OMP_ARGUMENTS], size;
    va_list list;

    (void)place;
    va_start(list, function);
    crf_omp_arguments(arguments, count, list);
    va_end(list);
    size = (uint32_t)crf_omp_threads_wanted();
    crf_omp_pushed = 0;
    if (crf_omp_self.level > 0 || size == 1 || !take_team()) {
        only_one(function, (uint32_t)count, arguments);
        return;
    }
    size = grow(size);
    if (size == 1) {
        only_one(function, (uint32_t)count, arguments);
    } else {
        publish(size, function, (uint32_t)count, arguments);
        take_part(0);
    }
    CRF_OMP->busy = 0;
}

/* if(0): the caller calls the region's function itself. */
void __kmpc_serialized_parallel(struct crf_place *place, int32_t thread);
void __kmpc_end_serialized_parallel(struct crf_place *place, int32_t thread);

static _Thread_local struct crf_omp_self outer[16];
static _Thread_local uint32_t depth;

void __kmpc_serialized_parallel(struct crf_place *place, int32_t thread)
{
    (void)place;
    (void)thread;
    if (depth == sizeof outer / sizeof outer[0])
        crf_fail("fewer", "16 parallel regions lie in each other");
    outer[depth++] = crf_omp_self;
    crf_omp_pushed = 0;
    crf_omp_self.number = 0;
    crf_omp_self.size = 1;
    crf_omp_self.level++;
}

void __kmpc_end_serialized_parallel(struct crf_place *place, int32_t thread)
{
    (void)place;
    (void)thread;
    crf_omp_events_wait();
    crf_omp_self = outer[--depth];
}

void crf_omp_begin_team(void *function, uint32_t count,
                        const uint32_t *arguments)
{
    uint32_t size = (uint32_t)crf_omp_threads_wanted();

    if (crf_omp_self.level == 0 && size > 1 && take_team()) {
        size = grow(size);
        if (size > 1) {
            crf_omp_pushed = 0;
            publish(size, function, count, arguments);
            outer[depth++] = crf_omp_self;
            enter(0);
            return;
        }
        CRF_OMP->busy = 0;
    }
    __kmpc_serialized_parallel(NULL, 0);
}

void crf_omp_end_team(void)
{
    int alone = crf_omp_self.size == 1;

    crf_omp_barrier();
    crf_omp_self = outer[--depth];
    crf_omp_thread = 0;
    if (!alone)
        CRF_OMP->busy = 0;
}

/* Cancellation is never on. */
int32_t __kmpc_cancel(struct crf_place *place, int32_t thread, int32_t kind)
{
    (void)place;
    (void)thread;
    (void)kind;
    return 0;
}

int32_t __kmpc_cancellationpoint(struct crf_place *place, int32_t thread,
                                 int32_t kind)
{
    return __kmpc_cancel(place, thread, kind);
}

int32_t __kmpc_global_thread_num(struct crf_place *place)
{
    (void)place;
    return crf_omp_thread;
}
