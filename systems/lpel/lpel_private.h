/*
 * lpel_private.h: the declarations that the files of the library share.
 *
 * lpel_init.c    start and end, the configuration by the MPB
 * lpel_say.c     errors in words, faults of tasks, tasks that loop
 * lpel_report.c  what tasks of one name took
 * lpel_guard.c   locks: test-and-set registers, atomic counters
 * memory         borrowed LUT entries, chunks, first fit, remote free
 * task           tasks and their switch
 * stream         streams, their ends, polling
 * demand         the conductor, workers, mailboxes
 * static         round robin on each core, streams between cores over TCP/IP
 */
#ifndef LPEL_PRIVATE_H
#define LPEL_PRIVATE_H

#include <stdint.h>

#include "RCCE.h"
#include "lpel.h"
#include "scc/map.h"
#include "scc/stack.h"

#define LPEL_NAME "lpel"

#define LPEL_PAGE 4096u
#define LPEL_SEGMENT 0x1000000u
#define LPEL_BASE 0x20000000u  /* uncached, equal on all cores */
#define LPEL_ALIAS 0x40000000u /* distance to the cached mapping */
#define LPEL_ENTRIES 160       /* most LUT entries that can be free */
#define LPEL_LINE 32u
#define LPEL_MAILS 256u /* capacity; a power of two */
#define LPEL_CANARY 0x5AFE57ACu

enum lpel_state {
    LPEL_NEW,
    LPEL_READY,
    LPEL_RUNNING,
    LPEL_BLOCKED,
    LPEL_ENDED,
};

/* A task, in shared memory, uncached. While a worker runs the task, that
 * worker owns it; at other times the conductor does. */
struct lpel_task {
    const char *name;
    void (*function)(void *);
    void *argument;
    char *stack; /* uncached address; runs at stack + alias */
    uint32_t stack_bytes;
    void *volatile esp;
    uint32_t number;
    int home;
    enum lpel_state state;
    volatile uint32_t killed;
    struct lpel_stream *inputs, *outputs;
    struct lpel_stream *waits; /* the stream it waits for, if known */
    uint32_t messages, since_switch;
    uint64_t cycles;
    struct lpel_known *known; /* the conductor's own record */
    struct lpel_task *next;   /* static scheduler: next in queue */
    int woken;                /* static: woken while not blocked */
};

struct lpel_stream {
    const char *name;
    uint32_t number, capacity;
    volatile uint32_t first, count;
    volatile uint32_t no_writer, no_reader; /* 1: that end is closed */
    struct lpel_task *volatile reader_waits, *volatile writer_waits;
    struct lpel_task *reader, *writer;
    struct lpel_stream *next_input, *next_output;
    int carried; /* static: between two cores */
    void *volatile *ring;
};

enum lpel_mail_kind {
    LPEL_MAIL_START = 1, /* to the conductor: a new task */
    LPEL_MAIL_BACK,      /* a worker returns its task and asks for one */
    LPEL_MAIL_ASK,       /* a worker's first request */
    LPEL_MAIL_WAKE,
    LPEL_MAIL_KILL,
    LPEL_MAIL_RUN, /* to a worker: run this task */
    LPEL_MAIL_STOP,
};
struct lpel_mail {
    uint32_t kind_and_rank, value;
};
struct lpel_mailbox {
    volatile uint32_t first, count;
    volatile struct lpel_mail mail[LPEL_MAILS];
};

/* The data at the start of the first segment of shared memory. */
struct lpel_shared {
    volatile uint32_t failed;
    volatile uint32_t turn;
    struct {
        volatile uint32_t next, end;
    } pool[LPEL_DONORS];
    void *volatile garbage[RCCE_MAXNP];
    struct lpel_mailbox mailbox[RCCE_MAXNP];
};

/* The memory that the conductor has borrowed. Sent to the other cores through
 * the MPB. */
struct lpel_loan {
    int count, pools;
    int pool_entries[LPEL_DONORS];
    uint8_t entry[LPEL_ENTRIES];
    uint32_t value[LPEL_ENTRIES];
};

/* The functions of a scheduler: by demand, or static. */
struct lpel_scheduler {
    void (*work)(void (*build)(void *), void *argument);
    void (*start)(struct lpel_task *task);
    void (*wake)(struct lpel_task *task);
    void (*kill)(uint32_t number);
};
extern const struct lpel_scheduler lpel_demand, lpel_static;
extern const struct lpel_scheduler *lpel_scheduler;

extern struct lpel_config lpel_configured;
extern struct lpel_shared *lpel_shared;
extern int lpel_awaited; /* the others wait for its loan */
extern int lpel_my_rank, lpel_all_ranks;
extern const int *lpel_core_of;        /* core numbers, by rank */
extern struct lpel_task *lpel_current; /* null while the scheduler runs */
extern RCCE_FLAG lpel_bell;            /* one in each core's MPB */

/* lpel_init.c */
void *lpel_map(enum scc_memory memory, uint32_t at, uint32_t physical,
               size_t bytes);
void lpel_flush(void);
int lpel_is_static(void);

/* lpel_guard.c: a core holds at most one register at a time; it may take a
 * counter while it holds a register */
void lpel_guards_start(void);
void lpel_guard(uint32_t number);
void lpel_unguard(uint32_t number);
enum lpel_counter { LPEL_GARBAGE, LPEL_MAILBOX };
void lpel_count_in(enum lpel_counter what, int rank);
void lpel_count_out(enum lpel_counter what, int rank);

/* memory/borrow.c */
void lpel_borrow(struct lpel_loan *loan);
void lpel_use_loan(const struct lpel_loan *loan);
void lpel_give_back(void);
/* memory/chunk.c */
void lpel_chunks_start(const struct lpel_loan *loan);
void *lpel_chunk(uint32_t bytes);
/* memory/heap.c */
void lpel_collect_garbage(void);
void lpel_heap_count(struct lpel_usage *usage);

/* task/task.c */
void lpel_run_task(struct lpel_task *task);
void lpel_task_end(struct lpel_task *task);
void lpel_leave(enum lpel_state state);
void lpel_check_killed(void);
void lpel_check_inside(const char *call);
void lpel_check_stack(const struct lpel_task *task, const void *esp);

/* stream/stream.c */
void lpel_close_reader(struct lpel_stream *stream);
void lpel_close_writer(struct lpel_stream *stream);
void lpel_deliver(struct lpel_stream *stream, void *message);
struct lpel_stream *lpel_stream_numbered(uint32_t number);
void lpel_number_anew(void);
void lpel_drop(struct lpel_stream *stream);

/* demand/mailbox.c */
void lpel_send(int rank, enum lpel_mail_kind kind, uint32_t value);
int lpel_receive(enum lpel_mail_kind *kind, int *rank, uint32_t *value);
void lpel_wait(void);
/* demand/conductor.c */
void lpel_conduct(void);
void lpel_conduct_start(struct lpel_task *task);

/* static/carry.c */
void lpel_carry_start(const char *with); /* with[rank]: shares a stream */
void lpel_carry(struct lpel_stream *stream, void *message);
int lpel_carry_on(int idle); /* idle: no task can run */
void lpel_expect(void);
int lpel_expected(void);
void lpel_carry_end(void);
/* static/peers.c */

/* lpel_say.c */
void lpel_faults_start(void);
void lpel_check_failed(void);
void lpel_watch(void);

/* lpel_report.c */
void lpel_note_task(const struct lpel_task *task);

#endif
