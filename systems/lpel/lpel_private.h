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
#define LPEL_MAILS 256u         /* capacity of a mailbox; a power of two */
#define LPEL_CANARY 0x5AFE57ACu /* the lowest word of a task's stack */

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
    char *stack; /* uncached address; runs at stack + alias; null: none yet */
    uint32_t stack_bytes;
    void *volatile esp;
    uint32_t number; /* for lpel_kill */
    int home;        /* a rank, or LPEL_ANY */
    enum lpel_state state;
    volatile uint32_t killed;
    struct lpel_stream *inputs, *outputs; /* those whose end is not closed */
    struct lpel_stream *waits;       /* the stream it waits for, if known */
    uint32_t messages, since_switch; /* read in all; read since it got a core */
    uint64_t cycles;                 /* of cores that ran it, with flushes */
    struct lpel_known *known;        /* the conductor's own record */
    struct lpel_task *next;          /* static scheduler: next in queue */
    int woken;                       /* static: woken while not blocked */
};

struct lpel_stream {
    const char *name;
    uint32_t number,
        capacity; /* number: chooses its guard; static: its index */
    volatile uint32_t first, count;         /* of the messages in the ring */
    volatile uint32_t no_writer, no_reader; /* 1: that end is closed */
    /* Null, or the task to wake. */
    struct lpel_task *volatile reader_waits, *volatile writer_waits;
    struct lpel_task *reader, *writer;
    struct lpel_stream *next_input, *next_output; /* of its reader; writer */
    int carried; /* static: its writer is here, its reader on another core */
    void *volatile *ring;
};

enum lpel_mail_kind {
    LPEL_MAIL_START = 1, /* to the conductor: a new task */
    LPEL_MAIL_BACK,      /* a worker returns its task and asks for one */
    LPEL_MAIL_ASK,       /* a worker's first request */
    LPEL_MAIL_WAKE,      /* to the conductor: this task may continue */
    LPEL_MAIL_KILL,      /* to the conductor: the number of a task */
    LPEL_MAIL_RUN,       /* to a worker: run this task */
    LPEL_MAIL_STOP,      /* to a worker: the run has ended */
};
struct lpel_mail {
    uint32_t kind_and_rank, value; /* kind: low 8 bits; rank: the sender's */
};
struct lpel_mailbox {
    volatile uint32_t first, count;
    volatile struct lpel_mail mail[LPEL_MAILS];
};

/* The data at the start of the first segment of shared memory. */
struct lpel_shared {
    volatile uint32_t failed; /* 1: a core has printed an error; all end */
    volatile uint32_t turn;   /* the pool that gives the next chunk, mod 8 */
    struct {
        volatile uint32_t next, end; /* addresses not given yet */
    } pool[LPEL_DONORS];
    void *volatile garbage[RCCE_MAXNP]; /* by owner: blocks others have freed */
    struct lpel_mailbox mailbox[RCCE_MAXNP]; /* by rank of the receiver */
};

/* The memory that the conductor has borrowed. Sent to the other cores through
 * the MPB. */
struct lpel_loan {
    int count, pools;              /* segments (-1: it failed); donors */
    int pool_entries[LPEL_DONORS]; /* segments of each donor */
    uint8_t entry[LPEL_ENTRIES];   /* LUT entry of each segment, on all cores */
    uint32_t value[LPEL_ENTRIES];  /* what the entry becomes */
};

/* The functions of a scheduler: by demand, or static. */
struct lpel_scheduler {
    void (*work)(void (*build)(void *), void *argument); /* lpel_run's part */
    void (*start)(struct lpel_task *task);
    void (*wake)(struct lpel_task *task); /* a blocked task may continue */
    void (*kill)(uint32_t number);
};
extern const struct lpel_scheduler lpel_demand, lpel_static;
extern const struct lpel_scheduler *lpel_scheduler;

extern struct lpel_config lpel_configured;
extern struct lpel_shared *lpel_shared;
extern int lpel_awaited; /* true: the others wait for this core's loan */
extern int lpel_my_rank, lpel_all_ranks;
extern const int *lpel_core_of;        /* core numbers, by rank */
extern struct lpel_task *lpel_current; /* null while the scheduler runs */
extern RCCE_FLAG lpel_bell;            /* one in each core's MPB */

/* lpel_init.c */
/* Maps physical memory at `at` (0: anywhere); ends the run if something is
 * mapped there or the kernel refuses. */
void *lpel_map(enum scc_memory memory, uint32_t at, uint32_t physical,
               size_t bytes);
void lpel_flush(void);    /* writes back and empties L1 and L2 */
int lpel_is_static(void); /* LPEL_MESSAGES */

/* lpel_guard.c: lpel_guard takes the test-and-set register of rank `number`
 * modulo the number of ranks, lpel_count_in an atomic counter of a rank; both
 * poll until it is free. A core holds at most one register at a time; it may
 * take a counter while it holds a register. */
void lpel_guards_start(void);
void lpel_guard(uint32_t number);
void lpel_unguard(uint32_t number);
enum lpel_counter { LPEL_GARBAGE, LPEL_MAILBOX };
void lpel_count_in(enum lpel_counter what, int rank);
void lpel_count_out(enum lpel_counter what, int rank);

/* memory/borrow.c */
void lpel_borrow(struct lpel_loan *loan); /* by the conductor: fills `loan` */
void lpel_use_loan(const struct lpel_loan *loan); /* maps it on this core */
void lpel_give_back(void);                        /* restores this core's LUT */
/* memory/chunk.c */
void lpel_chunks_start(const struct lpel_loan *loan);
void *lpel_chunk(uint32_t bytes); /* null: no donor has so much in a piece */
/* memory/heap.c */
void lpel_collect_garbage(void); /* takes back what others have freed */
void lpel_heap_count(struct lpel_usage *usage); /* of this core */

/* task/task.c */
/* Runs a task on this core until it waits, hands over or ends: its state. */
void lpel_run_task(struct lpel_task *task);
void lpel_task_end(struct lpel_task *task); /* the caller; does not return */
void lpel_leave(enum lpel_state state); /* the task here gives the core up */
void lpel_check_killed(void);           /* ends the task here if it is killed */
void lpel_check_inside(const char *call); /* an error if no task runs here */
void lpel_check_stack(const struct lpel_task *task, const void *esp);

/* stream/stream.c */
void lpel_close_reader(struct lpel_stream *stream);
void lpel_close_writer(struct lpel_stream *stream);
/* static: stores a message from another core; null: the stream's end. */
void lpel_deliver(struct lpel_stream *stream, void *message);
struct lpel_stream *lpel_stream_numbered(uint32_t number); /* static */
void lpel_number_anew(void);
void lpel_drop(struct lpel_stream *stream); /* frees it: both ends are closed */

/* demand/mailbox.c */
void lpel_send(int rank, enum lpel_mail_kind kind, uint32_t value);
/* Takes the next mail; 0: there is none. `rank`: its sender's. */
int lpel_receive(enum lpel_mail_kind *kind, int *rank, uint32_t *value);
void lpel_wait(void); /* until a mail has come since the last wait */
/* demand/conductor.c */
void lpel_conduct(void);
void lpel_conduct_start(struct lpel_task *task);

/* static/carry.c */
void lpel_carry_start(const char *with); /* with[rank]: shares a stream */
/* Sends and frees a message of at least one byte; null: the stream's end. */
void lpel_carry(struct lpel_stream *stream, void *message);
/* Delivers what has come; true if a message has. `idle`: no task can run, so
 * waits up to 1 ms for something. */
int lpel_carry_on(int idle);
void lpel_expect(void);    /* one more stream from another core */
int lpel_expected(void);   /* how many of these have not ended */
void lpel_carry_end(void); /* collective: closes the connections */
/* static/peers.c */

/* lpel_say.c */
void lpel_faults_start(void);
void lpel_check_failed(void); /* ends this core if another one has failed */
void lpel_watch(void);        /* a task begins or ceases to run: for limit_ms */

/* lpel_report.c */
void lpel_note_task(const struct lpel_task *task); /* counts an ended task */

#endif
