/* chip.h: what the runtime's files share. */
#ifndef JCELL_CHIP_H
#define JCELL_CHIP_H

#include "jcell.h"

#include <stdint.h>

enum { HERE = 255, NOBODY = 255 };

enum kind {
    FETCH,
    VALUE, /* the head version, please */
    LOCK,
    LOCKED, /* for the writer, if `version` is the head */
    CHECK,
    CHECKED, /* is `version` the head? */
    UNLOCK,  /* the writer gives up */
    MOVED,   /* the writer has the head now */
    NEWER,   /* a proxy learns where the head is */
    DONE,
    STOP
};

enum answer { YES, OUTDATED, BUSY };

/* A mail, one line of an MPB. */
struct mail {
    uint8_t kind;
    uint8_t from; /* who asks; who has the head */
    uint8_t hops; /* NEWER: how many more are told */
    uint16_t object;
    uint8_t answer;
    uint8_t holder;
    int32_t version;
    struct jcell_node node;
    uint8_t unused[8];
};
_Static_assert(sizeof(struct mail) == 32, "a mail is a line");

/* This core's knowledge of an object. */
struct object {
    struct jcell_node node; /* the head version, if it is here */
    int32_t version;        /* of the head, or the newest one heard of */
    uint8_t head_at;        /* HERE, or the core that had `version` */
    uint8_t before;         /* who had the head before this core */
    uint8_t lock;           /* the core that is about to write */
    uint8_t unused;
};

extern struct object *jcell_objects;
extern struct jcell_counts jcell_counted;
extern int jcell_depth;
extern int jcell_finished; /* on core 0: cores that are done */
extern bool jcell_stopped;

/* mail.c */
bool jcell_mail_open(void);
void jcell_mail(int ue, const struct mail *mail);
/* Sends waiting mails, and handles those that have come. */
void jcell_serve(void);

/* objects.c: handles a mail that has come */
void jcell_handle(const struct mail *mail);
/* Asks the head's holder, which may be this core. */
void jcell_ask(enum kind kind, int object, int version);
/* Installs the writer's new head; the old one was at `holder`. */
void jcell_install(int object, const struct jcell_node *node, int version,
                   int holder);
void jcell_unlock(int object, int holder);

/* transaction.c: handles an answer for this core */
void jcell_answered(const struct mail *mail);

/* cache.c */
bool jcell_cache_open(int objects, int size);
/* The version in this core's cache; 0 if none. */
const struct jcell_node *jcell_cached(int object, int32_t *version);
void jcell_keep(int object, const struct jcell_node *node, int32_t version);
void jcell_drop(int object);

#endif
