/*
 * model.c: every schedule of a small case, with up to so many preemptions.
 *
 *     model CASE UES PREEMPTIONS LIBRARY...
 *
 * The library's own source, compiled for the host, runs once for each UE
 * (a copy of the shared object each, so that each has its own variables) on
 * common message buffers. A UE gives up control at each point where the
 * source invalidates or pushes message lines. The search goes through all
 * choices of who runs next: free where a UE ends or has polled for nothing,
 * and at up to PREEMPTIONS other points. A UE that polls for nothing runs
 * again after a store of another. What is not modelled: stale lines and
 * partly filled write-combine buffers; the chip's tests do those.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#define UES 3
#define STACK 65536
#define MPB 4096
#define STEPS 4000
/* Points without a store of its own after which a UE is taken to poll. */
#define PATIENCE 12

struct ue {
    void *(*set_up)(int rank, int ues, unsigned char *mpb[]);
    int (*program)(int number, int me, void *world);
    char *data_start; /* the copy's variables, to be set back */
    size_t data_bytes;
    char *data_before;
    void *world;
    ucontext_t context;
    char *stack;
    int finished, result;
    int idle;   /* points since its last store */
    long heard; /* stores of others when it last ran */
};

int model_phase[UES];
static struct ue ue[UES];
static unsigned char mpb_bytes[UES][MPB] __attribute__((aligned(32)));
static unsigned char *mpb[UES];
static ucontext_t scheduler;
static int number, ues, bound, running;
static long stores;

/* The path of choices: at each step how many there were and which. */
static struct {
    unsigned char count, taken;
} path[STEPS];
static int depth, steps, preemptions;

void rcce_model_point(int stored);
void rcce_model_point(int stored)
{
    struct ue *me = &ue[running];

    stores += stored;
    me->idle = stored ? 0 : me->idle + 1;
    me->heard = stores;
    swapcontext(&me->context, &scheduler);
    /* What others stored meanwhile may be what it polls for. */
    if (stores > me->heard)
        me->idle = 0;
}

static void start(int n)
{
    ue[n].result = ue[n].program(number, n, ue[n].world);
    ue[n].finished = 1;
    swapcontext(&ue[n].context, &scheduler);
}

static void reset(void)
{
    memset(mpb_bytes, 0, sizeof mpb_bytes);
    memset(model_phase, 0, sizeof model_phase);
    stores = 0;
    for (int n = 0; n < ues; n++) {
        memcpy(ue[n].data_start, ue[n].data_before, ue[n].data_bytes);
        ue[n].world = ue[n].set_up(n, ues, mpb);
        ue[n].finished = ue[n].idle = 0;
        ue[n].heard = 0;
        getcontext(&ue[n].context);
        ue[n].context.uc_stack.ss_sp = ue[n].stack;
        ue[n].context.uc_stack.ss_size = STACK;
        ue[n].context.uc_link = NULL;
        makecontext(&ue[n].context, (void (*)(void))start, 1, n);
    }
}

static int can_run(int n)
{
    if (ue[n].idle >= PATIENCE && stores > ue[n].heard)
        ue[n].idle = 0;
    return !ue[n].finished && ue[n].idle < PATIENCE;
}

/* Who runs next: candidates begin with the one that runs, which costs no
 * preemption. */
static int choose(int last)
{
    int candidate[UES], count = 0;
    int goes_on = last >= 0 && can_run(last);

    if (goes_on)
        candidate[count++] = last;
    if (!goes_on || preemptions < bound)
        for (int n = 0; n < ues; n++)
            if (n != last && can_run(n))
                candidate[count++] = n;
    if (count == 0)
        return -1;
    if (steps == depth) {
        path[depth].taken = 0;
        path[depth++].count = (unsigned char)count;
    }
    int taken = candidate[path[steps++].taken];
    preemptions += goes_on && taken != last;
    return taken;
}

/* One schedule; a word about it if it went wrong. */
static const char *run(void)
{
    int last = -1;

    reset();
    steps = preemptions = 0;
    while ((running = choose(last)) >= 0) {
        if (steps == STEPS)
            return "too long";
        last = running;
        swapcontext(&scheduler, &ue[running].context);
    }
    for (int n = 0; n < ues; n++)
        if (!ue[n].finished)
            return "deadlock";
    for (int n = 0; n < ues; n++)
        if (ue[n].result)
            return "wrong result";
    /* "sent" and "ready" lines are down again; the first two are the
     * barrier's. */
    for (int n = 0; n < ues; n++)
        for (int line = 0; line < 2 * ues; line++)
            if (mpb[n][32 * (3 + line)])
                return "a flag is left raised";
    return NULL;
}

/* The next path in order: the last choice that has another one. */
static int advance(void)
{
    while (depth > 0 && path[depth - 1].taken + 1 == path[depth - 1].count)
        depth--;
    if (depth == 0)
        return 0;
    path[depth - 1].taken++;
    return 1;
}

/* The writable segment of the shared object that holds `set_up`. */
static int find_data(struct dl_phdr_info *info, size_t size, void *data)
{
    struct ue *me = data;
    char *code = (char *)*(void **)&me->set_up, *start = NULL;
    size_t bytes = 0;
    int here = 0;

    (void)size;
    for (int n = 0; n < info->dlpi_phnum; n++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[n];
        char *base = (char *)info->dlpi_addr + segment->p_vaddr;
        if (segment->p_type != PT_LOAD)
            continue;
        here |= code >= base && code < base + segment->p_memsz;
        if (segment->p_flags & PF_W) {
            start = base;
            bytes = segment->p_memsz;
        }
    }
    if (here) {
        me->data_start = start;
        me->data_bytes = bytes;
    }
    return here;
}

static void load(int n, const char *file)
{
    void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);

    if (!library) {
        fprintf(stderr, "%s\n", dlerror());
        exit(2);
    }
    *(void **)&ue[n].set_up = dlsym(library, "model_set_up");
    *(void **)&ue[n].program = dlsym(library, "model_program");
    dl_iterate_phdr(find_data, &ue[n]);
    ue[n].data_before = malloc(ue[n].data_bytes);
    memcpy(ue[n].data_before, ue[n].data_start, ue[n].data_bytes);
    ue[n].stack = malloc(STACK);
    mpb[n] = mpb_bytes[n];
}

int main(int argc, char **argv)
{
    long schedules = 0;

    if (argc < 5)
        return 2;
    number = atoi(argv[1]);
    ues = atoi(argv[2]);
    bound = atoi(argv[3]);
    for (int n = 0; n < ues; n++)
        load(n, argv[4 + n]);
    do {
        const char *error = run();
        schedules++;
        if (error) {
            printf("case %d: %s in schedule %ld\n", number, error, schedules);
            return 1;
        }
    } while (advance());
    printf("case %d: %ld schedules, all right\n", number, schedules);
    return 0;
}
