/*
 * coherence.h: which core may do what with a page of the guest.
 *
 * UNUSED: nobody has touched it. PRIVATE: one core, through both caches.
 * OWNED: one core, past the caches, so that memory is always current and
 * giving the page up costs nothing. READ: many cores, who may only read it.
 * A core that writes is alone, and one that gives up leaves memory current:
 * the two conditions of the paper, and no reader beside a writer.
 */
#ifndef ROCKYVISOR_COHERENCE_H
#define ROCKYVISOR_COHERENCE_H

#include "visor.h"

enum state { UNUSED, PRIVATE, OWNED, READ };

/* An entry of the directory, in uncached memory. */
struct entry {
    u32 state; /* and the owner's index, and TEXT */
    u32 readers[2];
    u32 frame;
};

#define STATE 3u
#define OWNER_SHIFT 8
#define TEXT 4u /* the frame's lines may be in caches of its readers */

/* What a mail asks for: the kind, and 28 bits. */
enum mail {
    GIVE_WRITE = 1, /* the page */
    GIVE_READ,      /* the page; the owner goes on reading */
    DROP,           /* the page, which has a writer now */
    COMMAND,        /* a virtual processor of the core, and what its APIC got */
    CONSOLE,        /* a byte */
    END             /* of the machine */
};

#define MAIL(kind, word) ((u32)(kind) << 28 | (word))

/* directory.c */
void directory_init(void);
void directory_clear(void);
void page_lock(u32 page);
void page_unlock(u32 page);
void entry_read(u32 page, struct entry *entry);
void entry_write(u32 page, const struct entry *entry);

/* frames.c */
void frames_init(void);
u32 first_frame(u32 page);
u32 frame_take(void);
void frame_retire(u32 frame, bool own_caches_only);
void frame_copy(const void *from, u32 frame);
const void *frame_look(u32 frame);

/* protocol.c */
u32 page_given(u32 page, u32 kind);

/* mail.c */
void mails_init(void);
void ask(u32 index, u32 word);
u32 await_reply(u32 index);
void page_reply(u32 index, u32 page, u32 kind);

/* window.c */
void window_add(u32 page);
bool window_defers(u32 index, u32 page, u32 kind, enum waiting waiting);
void window_reconsider(enum waiting waiting);

#endif
