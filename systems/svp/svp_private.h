/*
 * svp_private.h: the declarations that the files of the library share.
 *
 * chip/start.c       cores, devices, start and end
 * chip/wire.c        messages: which way they go, how all cores begin
 * sockets/sockets.c  messages over TCP/IP connections of pairs of cores
 * chip/rings.c       messages through rings off-die, one a pair of cores
 * chip/contexts.c    threads of one core: stacks, switches, who waits
 * chip/window.c      other cores' memory through free LUT entries
 * chip/copy.c        copies through windows, and the copy cores' service
 * chip/memory.c      the first-fit allocator
 * families/parent.c  create, sync, kill, break: the creating side
 * families/family.c  families on this core: begin, threads, end
 * families/channels.c  global and shared channels
 * data/describe.c    data descriptions: what goes where
 * data/stream.c      the bytes of a description, by the transport
 * data/xdr.c         elements as XDR has them
 * svp_say.c          errors in words
 */
#ifndef SVP_PRIVATE_H
#define SVP_PRIVATE_H

#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>

#include "scc/claim.h"
#include "scc/map.h"
#include "svp.h"

#define NAME "svp"

#define CORES SCC_CORES
#define LINE 32u
#define PAGE SCC_PAGE
#define SEGMENT 0x1000000u

/* Private memory: the kernel and the program use the lower 320 MB, as sccLinux
 * did; the allocator uses the rest of 656 MB. The allocator's memory has one
 * address on all cores. */
#define MEMORY_FIRST 0x14000000u
#define MEMORY_END 0x29000000u
#define MEMORY ((char *)0x54000000)
#define MEMORY_SIZE (MEMORY_END - MEMORY_FIRST)
/* How many LUT entries that no unit of the chip uses serve as windows into
 * other cores' memory; the first of them; and the virtual address at which it
 * maps: the others follow, SEGMENT bytes each. */
#define WINDOWS 32
#define WINDOW_FIRST 0x29u
#define WINDOW_BASE (MEMORY + MEMORY_SIZE)

/* chip/start.c */
extern int svp_me, svp_ranks;  /* ranks of the launch */
extern const int *svp_core;    /* core of a rank */
extern bool svp_copies[CORES]; /* by rank: true for a copy core */
extern int svp_copiers[CORES], svp_copier_count; /* ranks of the copy cores */
extern enum svp_transport svp_transport;         /* as svp_start was called */
extern struct svp_counts svp_counted;
void *svp_device(enum scc_memory memory, void *at, uint32_t physical,
                 uint32_t bytes);
extern bool svp_stopped;              /* true: this core has handled STOP */
void svp_stop(void);                  /* handles STOP */
void svp_left(uint32_t count);        /* handles LEFT on rank 0 */
volatile uint32_t *svp_lut(int rank); /* the LUT of the rank's core */
int svp_place_check(svp_place place, const char *call);

/* svp_say.c: prints the error and ends all cores; this one with code 1. */
_Noreturn void svp_fail(const char *hint, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* chip/wire.c: messages arrive in order, from one core to another. */
enum kind {
    CREATE = 1, /* parent: the family's function, range and arguments */
    STREAM,     /* bytes of a description */
    CHANNEL,    /* parent: a value for a channel */
    KILL,
    DONE,    /* family: all threads have ended, and how */
    FETCH,   /* parent: ready for the outputs */
    RELEASE, /* parent: has the outputs */
    COPY,    /* ranges to copy, for a copy core */
    COPIED,
    STOP, /* the program ends */
    LEFT, /* reply to STOP: objects left over */
};

struct message {
    uint32_t kind, bytes; /* bytes: those behind the header */
    uint32_t id;          /* of the family, given by its parent */
    uint32_t word[5];     /* by kind; STREAM: word 0 is true if to the parent */
};
_Static_assert(sizeof(struct message) == LINE, "a header is a line");
#define PAYLOAD 4064u /* the most bytes behind a header, except of STREAM */

/* The functions of a transport for messages. The first STREAM message from a
 * core stays in the transport until its reader has taken it, in parts. */
struct wire {
    uint32_t most;      /* largest STREAM in bytes, without the header */
    void (*open)(void); /* all cores call open, meet, and call join */
    void (*join)(void);
    /* Sends a message to a rank. While there is no room, lets other threads of
     * this core run, so it must not be called in a handler. */
    void (*send)(int rank, const struct message *message, const void *payload);
    bool (*poll)(void);   /* handles arrived messages; true if any */
    void (*listen)(void); /* waits until a message may have arrived */
    /* stream_ready: the number of bytes not taken of the rank's first message
     * if it is a STREAM of this family in this direction, otherwise 0.
     * stream_take, called after that: takes up to `bytes` of them and returns
     * their number; 0 if none has arrived yet. */
    uint32_t (*stream_ready)(int rank, uint32_t id, bool to_parent);
    uint32_t (*stream_take)(int rank, void *to, uint32_t bytes);
    void (*abort)(void); /* informs all others of this core's failure */
    void (*end)(void);   /* called when no core needs another any more */
};
extern const struct wire svp_rings;
/* NULL in a program that is linked without systems/tcpip (guest.toml). */
extern const struct wire *const svp_sockets;
extern const struct wire *svp_wire;

void svp_wire_choose(void); /* sockets if the program has them, else rings */
void svp_wire_start(void);  /* returns when all cores have opened theirs */
void svp_tells(void);       /* records for all: this core prints why it fails */
bool svp_told(void);        /* true if some core has recorded that */
void svp_send(int rank, const struct message *message, const void *payload);
void svp_handle(int rank, const struct message *message, const char *payload);
/* Wakes the thread that reads this STREAM. The message stays in the transport
 * until that thread has read it. */
void svp_stream_tell(int rank, const struct message *message);

/* chip/contexts.c */
struct context;
struct waiting { /* contexts that wait for one event, the latest first */
    struct context *first;
};
struct family;
struct context {
    void *stack;  /* saved pointer while it does not run */
    char *memory; /* of the stack, 64 KB over a guard page; null for main */
    struct context *next; /* in its list: ready, unused or waiting */
    void (*work)(void *argument);
    void *argument;
    struct family *family; /* the family of the thread that it runs */
    const char *region;    /* name in traces; null: no thread */
    int index;             /* of the thread */
    struct link *in, *out; /* from the family's previous thread, to its next */
    jmp_buf escape;        /* where a thread of an ended family leaves */
};
extern struct context *svp_now;    /* runs now */
extern uint32_t svp_contexts_used; /* contexts with work, without main */
void svp_spawn(void (*work)(void *), void *argument, struct family *family);
/* Lets other contexts run until svp_wake; the caller then checks again. */
void svp_wait(struct waiting *waiting);
void svp_wake(struct waiting *waiting); /* makes all its contexts ready */
void svp_pass(void); /* lets the ready contexts run first; polls messages */
void svp_contexts_start(void); /* from here on svp_now is main */

/* chip/memory.c */
void svp_memory_start(void); /* maps MEMORY, empty */
/* True if an array of this size travels by its address and the receiver maps
 * it, which is faster from 128 bytes on; false if its bytes are sent. */
static inline bool svp_mapped(size_t bytes)
{
    return svp_transport >= SVP_REMAP && bytes >= 128;
}
void *svp_take(size_t bytes, struct family *owner, bool copy);
/* Frees a family's copies of data; `all`: and its threads' allocations. */
void svp_memory_end(struct family *owner, bool all);
bool svp_in_memory(const void *at, size_t bytes); /* the whole range */
uint32_t svp_blocks(void); /* the number of allocations */
static inline uint32_t svp_physical(const void *at)
{
    return (uint32_t)((const char *)at - MEMORY) + MEMORY_FIRST;
}

/* chip/window.c */
void svp_window_start(void);
/* Maps memory of a rank's core from `physical` to the end of its LUT segment
 * of 16 MB, until svp_close. */
char *svp_open(int rank, uint32_t physical);
void svp_close(const char *window);
uint32_t svp_windows_open(void); /* svp_open calls without svp_close */
void svp_flush(void);            /* writes back and empties L1 and L2 */

/* chip/copy.c */
struct range {                /* to copy: whole lines of the target */
    uint32_t from, to, bytes; /* core-physical addresses */
};
struct copies {
    int rank;        /* of the core whose memory is read */
    uint32_t id;     /* of the family */
    int count, next; /* ranges not sent; next copy core */
    uint32_t bytes;  /* of the ranges not sent; at 16 KB they are sent */
    uint32_t open;   /* messages without a reply so far */
    struct waiting waiting;
    struct range range[PAYLOAD / sizeof(struct range)];
};
void svp_copies_begin(struct copies *copies, int rank, uint32_t id);
void svp_copy_in(struct copies *copies, uint32_t from, void *to,
                 uint32_t bytes);
void svp_copies_end(struct copies *copies); /* waits until all is copied */
void svp_copy_request(int rank, const struct message *message,
                      const char *payload);
void svp_copy_answer(const struct message *message); /* handles COPIED */

/* families/channels.c */
struct channels {
    svp_value value[SVP_CHANNELS];
    uint32_t written; /* a bit for each channel */
};
struct link { /* channels from a thread to the next */
    struct channels channels;
    struct waiting waiting;
    struct link *behind; /* link of the next thread */
    bool done;           /* true: its reader has ended */
};
struct link *svp_link_new(void); /* empty */
void svp_channel_came(struct family *family, bool global, int channel,
                      svp_value value);
/* Call at the end of a thread: passes the values of shared channels that the
 * thread has not written itself on to the next thread. */
void svp_pass_rest(void);

/* families/family.c: the record of a family on the core of its place */
struct family {
    struct family *next;
    int parent; /* its rank */
    uint32_t id;
    const struct svp_function *function;
    void *arguments;
    /* stopped: broken or killed; told: DONE is sent; fetched, released: the
     * parent's FETCH or RELEASE has come. */
    bool own_arguments, stopped, told, large_outputs, fetched, released;
    enum svp_exit ended;
    svp_value broken_by;
    int exclusive;              /* its exclusive place; 0: none */
    int at, limit, step, block; /* at: the next index */
    int running;                /* contexts that run its threads */
    struct channels globals;
    struct link *first, *last; /* before the first thread, after the last */
    struct waiting waiting;    /* for globals, or for the parent's message */
    struct child *children; /* families that its threads created, not synced */
};
extern struct family svp_root; /* main's; no place has it */
void svp_family_create(int parent, uint32_t id, svp_place place,
                       const struct svp_function *function, const int *range,
                       void *arguments, const char *value, uint32_t bytes);
struct family *svp_family_find(int parent, uint32_t id);
void svp_family_stop(struct family *family, enum svp_exit how);
void svp_check_stop(void); /* ends the calling thread if its family stopped */
uint32_t svp_families_here(void); /* families on this core, not released */

/* families/parent.c: the record of a family on the core that created it */
struct child {
    struct child *next, *sibling;
    uint32_t id;
    int rank; /* of the core on which the family runs */
    const struct svp_function *function;
    void *arguments;
    struct family *parent;
    int creator;                     /* index of the creating thread */
    struct channels globals, shared; /* written by the parent */
    bool done, outputs, killed; /* DONE has come; has outputs; KILL is sent */
    enum svp_exit ended;        /* these three as DONE reported them */
    svp_value broken_by;
    svp_value result[SVP_CHANNELS];
    struct waiting waiting; /* for DONE, or for the outputs */
};
struct child *svp_child_find(uint32_t id);
struct child *svp_child_check(const svp_family *family, const char *call);
void svp_child_done(const struct message *message, const char *payload);
void svp_children_end(struct family *family); /* kills and awaits children */
void svp_check_synced(struct family *family, int index);
uint32_t svp_children_here(void); /* families created here and not synced */

/* data/stream.c */
struct stream {
    int rank;              /* at the other end */
    uint32_t id;           /* of the family */
    bool to_parent, sends; /* its direction; this side is the sender */
    uint32_t used, read;   /* bytes in the buffer; of them, bytes read */
    uint32_t record;       /* XDR: rest of the fragment, in bytes */
    char buffer[PAYLOAD];
};
void svp_stream_begin(struct stream *stream, int rank, uint32_t id,
                      bool to_parent, bool sends);
void svp_stream_put(struct stream *stream, const void *from, uint32_t bytes);
void svp_stream_get(struct stream *stream, void *to, uint32_t bytes);
void svp_stream_end(struct stream *stream); /* sends what the buffer holds */

/* data/xdr.c */
extern const uint8_t svp_type_bytes[]; /* the size in memory, by svp_type */
void svp_xdr(struct stream *stream, void *at, size_t count, enum svp_type type);
void svp_xdr_end(struct stream *stream); /* sends the last fragment */

/* data/describe.c */
void svp_data_to_family(struct child *child);
void svp_data_from_parent(struct family *family);
void svp_data_to_parent(struct family *family);
void svp_data_from_family(struct child *child);

#endif
