/*
 * svp_private.h: what the files of the library share.
 *
 * chip/start.c       cores, devices, start and end
 * chip/wire.c        messages: which way they go, how all cores begin
 * sockets/sockets.c  over TCP/IP: a connection for each pair of cores
 * chip/rings.c       without it: a ring off-die for each pair of cores
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
 * did; the rest of 656 MB is the allocator's. It has the same address on each
 * core. */
#define MEMORY_FIRST 0x14000000u
#define MEMORY_END 0x29000000u
#define MEMORY ((char *)0x54000000)
#define MEMORY_SIZE (MEMORY_END - MEMORY_FIRST)
/* LUT entries that no unit of the chip uses: windows into other memory. */
#define WINDOWS 32
#define WINDOW_FIRST 0x29u
#define WINDOW_BASE (MEMORY + MEMORY_SIZE)

/* chip/start.c */
extern int svp_me, svp_ranks;  /* ranks of the launch */
extern const int *svp_core;    /* core of a rank */
extern bool svp_copies[CORES]; /* ranks that copy */
extern int svp_copiers[CORES], svp_copier_count;
extern enum svp_transport svp_transport;
extern struct svp_counts svp_counted;
void *svp_device(enum scc_memory memory, void *at, uint32_t physical,
                 uint32_t bytes);
extern bool svp_stopped; /* as rank 0 says */
void svp_stop(void);
void svp_left(uint32_t count);
volatile uint32_t *svp_lut(int rank); /* of its core, an entry in 2 words */
int svp_place_check(svp_place place, const char *call);

/* svp_say.c */
_Noreturn void svp_fail(const char *hint, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* chip/wire.c: messages arrive in order, from one core to another. */
enum kind {
    CREATE = 1,
    STREAM, /* bytes of a description */
    CHANNEL,
    KILL,
    DONE,
    FETCH,   /* the parent waits for the outputs */
    RELEASE, /* and has them */
    COPY,    /* ranges for a copy core */
    COPIED,
    STOP, /* the program ends */
    LEFT, /* and this is left over */
};

struct message {
    uint32_t kind, bytes; /* behind the header */
    uint32_t id;          /* the family's, by its parent */
    uint32_t word[5];
};
_Static_assert(sizeof(struct message) == LINE, "a header is a line");
#define PAYLOAD 4064u

/* A transport for messages. The first STREAM message of a core waits in it
 * until its reader has taken it, in parts. */
struct wire {
    uint32_t most;      /* bytes of a STREAM */
    void (*open)(void); /* before all cores have met, and after */
    void (*join)(void);
    /* Sends; waits for room by letting other contexts run. Never called in a
     * handler. */
    void (*send)(int rank, const struct message *message, const void *payload);
    bool (*poll)(void);   /* handles what has arrived; true if there was some */
    void (*listen)(void); /* until something arrives */
    /* The bytes left of the first message if it is a STREAM of this family;
     * takes some of them: returns how many; 0: none has arrived yet. */
    uint32_t (*stream_ready)(int rank, uint32_t id, bool to_parent);
    uint32_t (*stream_take)(int rank, void *to, uint32_t bytes);
    void (*abort)(void); /* tells all others that this core cannot go on */
    void (*end)(void);   /* no core needs any other one any more */
};
extern const struct wire svp_rings;
/* NULL in a program without systems/tcpip (guest.toml). */
extern const struct wire *const svp_sockets;
extern const struct wire *svp_wire;

void svp_wire_choose(void);
void svp_wire_start(void);
void svp_tells(void); /* this core tells why it cannot go on */
bool svp_told(void);  /* one does */
void svp_send(int rank, const struct message *message, const void *payload);
void svp_handle(int rank, const struct message *message, const char *payload);
/* Wakes a STREAM's reader; the message stays in the ring until it is read */
void svp_stream_tell(int rank, const struct message *message);

/* chip/contexts.c */
struct context;
struct waiting {
    struct context *first;
};
struct family;
struct context {
    void *stack;  /* its pointer while it does not run */
    char *memory; /* of the stack; null: main's */
    struct context *next;
    void (*work)(void *argument);
    void *argument;
    struct family *family; /* whose thread runs here */
    const char *region;    /* in traces; null: nobody's thread */
    int index;
    struct link *in, *out;
    jmp_buf escape;
};
extern struct context *svp_now;
extern uint32_t svp_contexts_used;
void svp_spawn(void (*work)(void *), void *argument, struct family *family);
void svp_wait(struct waiting *waiting); /* until svp_wake; may be in vain */
void svp_wake(struct waiting *waiting);
void svp_pass(void); /* others first */
void svp_contexts_start(void);

/* chip/memory.c */
void svp_memory_start(void);
/* True if an array is passed by its address, which is faster from 128 bytes
 * on. */
static inline bool svp_mapped(size_t bytes)
{
    return svp_transport >= SVP_REMAP && bytes >= 128;
}
void *svp_take(size_t bytes, struct family *owner, bool copy);
void svp_memory_end(struct family *owner, bool all);
bool svp_in_memory(const void *at, size_t bytes);
uint32_t svp_blocks(void);
static inline uint32_t svp_physical(const void *at)
{
    return (uint32_t)((const char *)at - MEMORY) + MEMORY_FIRST;
}

/* chip/window.c */
void svp_window_start(void);
/* Opens memory of a core, within one segment, until svp_close. */
char *svp_open(int rank, uint32_t physical);
void svp_close(const char *window);
uint32_t svp_windows_open(void);
void svp_flush(void); /* L1 and L2 of this core: to memory, and empty */

/* chip/copy.c */
struct range {
    uint32_t from, to, bytes; /* core-physical */
};
struct copies {
    int rank;        /* whose memory is read */
    uint32_t id;     /* of the family */
    int count, next; /* ranges not sent; whose turn it is */
    uint32_t bytes;
    uint32_t open; /* messages to copy cores that are not answered */
    struct waiting waiting;
    struct range range[PAYLOAD / sizeof(struct range)];
};
void svp_copies_begin(struct copies *copies, int rank, uint32_t id);
void svp_copy_in(struct copies *copies, uint32_t from, void *to,
                 uint32_t bytes);
void svp_copies_end(struct copies *copies); /* all of it is there */
void svp_copy_request(int rank, const struct message *message,
                      const char *payload);
void svp_copy_answer(const struct message *message);

/* families/channels.c */
struct channels {
    svp_value value[SVP_CHANNELS];
    uint32_t written; /* a bit a channel */
};
struct link { /* between a thread and the next one */
    struct channels channels;
    struct waiting waiting;
    struct link *behind; /* the next thread's */
    bool done;           /* who reads it has ended */
};
struct link *svp_link_new(void);
void svp_channel_came(struct family *family, bool global, int channel,
                      svp_value value);
/* Ends a thread: passes on shared channels that it has not written. */
void svp_pass_rest(void);

/* families/family.c: a family, on its place's core */
struct family {
    struct family *next;
    int parent; /* rank */
    uint32_t id;
    const struct svp_function *function;
    void *arguments;
    bool own_arguments, stopped, told, large_outputs, fetched, released;
    enum svp_exit ended;
    svp_value broken_by;
    int exclusive;
    int at, limit, step, block; /* next index */
    int running;
    struct channels globals;
    struct link *first, *last; /* before the first thread, behind the last */
    struct waiting waiting;    /* for globals, or for the parent's word */
    struct child *children;
};
extern struct family svp_root;
void svp_family_create(int parent, uint32_t id, svp_place place,
                       const struct svp_function *function, const int *range,
                       void *arguments, const char *value, uint32_t bytes);
struct family *svp_family_find(int parent, uint32_t id);
void svp_family_stop(struct family *family, enum svp_exit how);
void svp_check_stop(void); /* ends the thread if its family has ended */
uint32_t svp_families_here(void);

/* families/parent.c: a family, on the core that created it */
struct child {
    struct child *next, *sibling;
    uint32_t id;
    int rank;
    const struct svp_function *function;
    void *arguments;
    struct family *parent;
    int creator;                     /* index of the thread */
    struct channels globals, shared; /* written by the parent */
    bool done, outputs, killed;
    enum svp_exit ended;
    svp_value broken_by;
    svp_value result[SVP_CHANNELS];
    struct waiting waiting;
};
struct child *svp_child_find(uint32_t id);
struct child *svp_child_check(const svp_family *family, const char *call);
void svp_child_done(const struct message *message, const char *payload);
void svp_children_end(struct family *family); /* kills and awaits them */
void svp_check_synced(struct family *family, int index);
uint32_t svp_children_here(void);

/* data/stream.c */
struct stream {
    int rank;
    uint32_t id;
    bool to_parent, sends;
    uint32_t used, read; /* bytes of the buffer */
    uint32_t record;     /* XDR: bytes left of the fragment read */
    char buffer[PAYLOAD];
};
void svp_stream_begin(struct stream *stream, int rank, uint32_t id,
                      bool to_parent, bool sends);
void svp_stream_put(struct stream *stream, const void *from, uint32_t bytes);
void svp_stream_get(struct stream *stream, void *to, uint32_t bytes);
void svp_stream_end(struct stream *stream);

/* data/xdr.c */
extern const uint8_t svp_type_bytes[];
void svp_xdr(struct stream *stream, void *at, size_t count, enum svp_type type);
void svp_xdr_end(struct stream *stream);

/* data/describe.c */
void svp_data_to_family(struct child *child);
void svp_data_from_parent(struct family *family);
void svp_data_to_parent(struct family *family);
void svp_data_from_family(struct child *child);

#endif
