/*
 * coherence.h: which core may do what with a page of the guest.
 *
 * UNUSED: no core has accessed the page. PRIVATE: one core accesses the page
 * through both caches. OWNED: one core accesses it past the caches, so memory is
 * always current and giving the page up needs no flush. READ: several cores
 * read it and none writes. Two conditions of the paper hold: only one core
 * writes, and a core that gives a page up leaves memory current. In addition,
 * no core reads a page that another one writes.
 */
#ifndef ROCKYVISOR_COHERENCE_H
#define ROCKYVISOR_COHERENCE_H

#include "scc/memory_map.h"
#include "visor.h"

/* The shared memory has a part behind each controller, of which the first
 * KEPT bytes are for the directory. */
#define CONTROLLERS 4
#define PART (SCC_SHARED_SIZE / CONTROLLERS)
#define KEPT 0x100000u

enum state { UNUSED, PRIVATE, OWNED, READ };

/* An entry of the directory, in uncached memory. */
struct entry {
    u32 state; /* also has the owner's index, marks, and hot.c's heat */
    u32 readers[2];
    u32 kept; /* of an owned page: the time stamp until which it stays */
    u32 frame;
};

#define STATE 3u
#define OWNER_SHIFT 8
#define OWNER 0x3F00u
#define TEXT 4u /* the frame's lines may be in caches of its readers */
#define HOT \
    8u /* of READ: past the caches, written by one instruction at a time */
#define TABLE 16u /* has been a table of the guest's, so is never hot */

/* The kinds of mails; a mail is a kind and 28 bits. */
enum mail {
    GIVE_WRITE = 1, /* give the page up: another core writes it */
    GIVE_READ,      /* share the page: both cores read it from now on */
    DROP,           /* drop the page, which has a writer now */
    COMMAND,        /* a command to the APIC of a virtual processor */
    CONSOLE,        /* print a line; answered when it is */
    CONSOLE_IN,     /* answer what a port of COM1 reads as */
    CONSOLE_LINE,   /* fetch a line of input, of so many bytes at most */
    GREETING,       /* nothing: the receiver is there */
    FLUSH,          /* flush the caches, until they have been so often */
    END             /* end the machine */
};

#define MAIL(kind, word) ((u32)(kind) << 28 | (word))

/* What another core wants of a page, and when its instruction began. */
struct asked {
    u32 index, page, kind, age;
};

static inline u32 with_owner(u32 state)
{
    return (state & ~OWNER) | core_index << OWNER_SHIFT;
}

/* What a core needs a page for. */
enum need {
    LOOKS,
    WALKS, /* as a table, which the hypervisor knows while nobody writes it */
    CHANGES,
    STEPS /* to change it by one instruction of the guest */
};

/* directory.c */
void directory_init(void);
void directory_clear(void);
void page_lock(u32 page);
void page_unlock(u32 page);
void entry_read(u32 page, struct entry *entry);
void entry_write(u32 page, const struct entry *entry);
bool entry_is_mine(u32 page);
u32 pages_of(u32 index, u32 *first);

/* frames.c */
void frames_init(void);
u32 first_frame(u32 page);
u32 frame_take(void);
u32 frame_await(void);
void frame_retire(u32 frame);
void frame_retire_everywhere(u32 frame);
void frame_copy(const void *from, u32 frame);
const void *frame_look(u32 frame);

/* flush.c */
void flush_init(void);
void flush_caches(void);
void flush_until(u32 count);
void flush_ask(void);
bool flush_is_done(void);
void flush_await(void);

/* holding.c */
u32 page_address(u32 page);
extern u32 held[]; /* frame, enum state, TEXT and HOT */
u32 page_bits(u32 page, bool text);
void page_held(u32 page, u32 state, u32 frame);
void page_let_go(u32 page, u32 state, u32 frame);
u32 page_given(u32 page, u32 kind);

/* A page's state, TEXT and HOT. */
static inline u32 page_state(u32 page)
{
    return held[page] % PAGE;
}

/* protocol.c */
bool page_is_hot(u32 page);
void page_settle(u32 page);

/* hot.c */
u32 heat_after(u32 state, u32 others);
bool heat_is_high(u32 heat);
bool hot_open(u32 page);
bool hot_is_open(u32 page);

#define NAP 1000u /* cycles of a wait without a look at what is awaited */

/* settle.c */
void settle_later(u32 page);

/* mail.c */
void mails_init(void);
void ask(u32 index, u32 word);
#define REFUSED 2u /* a reply; a page's has bit 0 */
u32 await_reply(u32 index);
void serve_while(enum waiting waiting);
void page_reply(const struct asked *asked);
void page_refuse(u32 index);

u32 mail_flushes(u32 index);
void mail_flush_turns(void);
void mail_flush(u32 index, u32 count);
void mail_await_flushes(u32 index, u32 count);

bool mail_is_taken(u32 index);
bool mail_is_open(u32 index);
u32 mail_beat(u32 index);
bool mail_is_asleep(u32 index);
void mail_greeting(u32 index);

/* silence.c */
#define NO_PAGE 0xFFFFFFFFu
extern u32 awaited_page;
void silence_of(u32 index, u32 began);
u32 silence_of_any(u32 began);
void silence_sent(u32 index);

/* window.c */
void window_open(void);
u32 window_age(void);
void window_add(u32 page);
void window_asked(const struct asked *asked, enum waiting waiting);
void window_reconsider(enum waiting waiting);

#endif
