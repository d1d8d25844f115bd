/* chip.h: the declarations that the runtime's files share. */
#ifndef JCELL_CHIP_H
#define JCELL_CHIP_H

#include "jcell.h"

#include <stdint.h>

enum { HERE = 255, NOBODY = 255 };

enum kind {
    FETCH,
    VALUE, /* asks for the head version */
    LOCK,
    LOCKED, /* for the writer, if `version` is the head */
    CHECK,
    CHECKED, /* asks whether `version` is the head */
    UNLOCK,  /* the writer releases its lock */
    MOVED,   /* the writer now has the head */
    NEWER,   /* informs a proxy where the head is */
    DONE,
    STOP
};

enum answer { YES, OUTDATED, BUSY };

/* A mail: a message of one line from core to core. */
struct mail {
    uint8_t kind;
    uint8_t from; /* the asking core; the head's core */
    uint8_t hops; /* NEWER: further proxies to inform */
    uint16_t object;
    uint8_t answer;
    uint8_t holder;
    int32_t version;
    struct jcell_node node;
    uint8_t unused[8];
};
_Static_assert(sizeof(struct mail) == 32, "a mail is a line");

/* What this core knows of a shared object, which exists in versions; the newest
 * is the head. */
struct object {
    struct jcell_node node; /* the head version, if here */
    int32_t version;        /* of the head, or newest known */
    uint8_t head_at;        /* HERE, or the core with `version` */
    uint8_t before;         /* the core that had the head before */
    uint8_t lock;           /* the core that holds the lock */
    uint8_t unused;
};

extern struct object *jcell_objects;
extern struct jcell_counts jcell_counted;
extern int jcell_depth;
extern int jcell_finished; /* on core 0: cores that have finished */
extern bool jcell_stopped;

/* mail.c */
bool jcell_mail_open(void);
void jcell_mail(int ue, const struct mail *mail);
/* Sends the mails that wait for room, and handles the mails that have
 * arrived. */
void jcell_serve(void);

/* objects.c: handles a mail that has arrived */
void jcell_handle(const struct mail *mail);
/* Sends a question of this kind to the core that this core takes for the head's
 * (it may be this core). */
void jcell_ask(enum kind kind, int object, int version);
/* Installs the version `version` that a writer has committed as the new head,
 * on this core; the old head was on core `holder`. */
void jcell_install(int object, const struct jcell_node *node, int version,
                   int holder);
void jcell_unlock(int object, int holder);

/* transaction.c: handles a reply to this core */
void jcell_answered(const struct mail *mail);

/* cache.c */
bool jcell_cache_open(int objects, int size);
/* The version of the object in this core's cache, whose number goes to
 * `version`; null if the cache has none. */
const struct jcell_node *jcell_cached(int object, int32_t *version);
void jcell_keep(int object, const struct jcell_node *node, int32_t version);
void jcell_drop(int object);

#endif
