/* chip.h: the declarations that the runtime's files share. */
#ifndef JCELL_CHIP_H
#define JCELL_CHIP_H

#include "jcell.h"

#include <stdint.h>

enum { HERE = 255, NOBODY = 255 }; /* in place of a core's rank */

/* Kinds of mails. Each question's answer is the kind behind it. */
enum kind {
    FETCH, /* asks for the head version */
    VALUE,
    LOCK, /* asks for the writer's lock, if `version` is the head */
    LOCKED,
    CHECK, /* asks whether `version` is the head and no other core's lock */
    CHECKED,
    UNLOCK, /* the writer releases its lock */
    MOVED,  /* the writer now has the head */
    NEWER,  /* informs a proxy where the head is */
    DONE,   /* to core 0: this core runs no more transactions */
    STOP    /* from core 0: all cores are done */
};

/* To LOCK and CHECK: granted; not the head; another core has the lock. */
enum answer { YES, OUTDATED, BUSY };

/* A mail: a message of one line from core to core. Cores are RCCE ranks. */
struct mail {
    uint8_t kind;
    uint8_t from; /* the asking core; MOVED, NEWER: the head's core */
    uint8_t hops; /* MOVED, NEWER: further proxies to inform; questions and
                   * answers: proxies that passed the question on */
    uint16_t object;
    uint8_t answer;
    uint8_t holder;         /* answers: the core that has the head */
    int32_t version;        /* questions: known here; else: the head's */
    struct jcell_node node; /* VALUE: the head */
    uint8_t unused[8];
};
_Static_assert(sizeof(struct mail) == 32, "a mail is a line");

/* What this core knows of a shared object, which exists in versions; the newest
 * is the head. */
struct object {
    struct jcell_node node; /* the head version, if here */
    int32_t version;        /* of the head, or newest known */
    uint8_t head_at;        /* HERE, or the core that wrote `version` */
    uint8_t before;         /* the core that had the head before; or NOBODY */
    uint8_t lock;           /* the core that holds the lock; or NOBODY */
    uint8_t unused;
};

extern struct object *jcell_objects; /* by number */
extern struct jcell_counts jcell_counted;
extern int jcell_depth;    /* as given to jcell_open */
extern int jcell_finished; /* on core 0: other cores that have finished */
extern bool jcell_stopped; /* STOP has come */

/* mail.c */
/* Collective; false: no room in the MPB or no memory. */
bool jcell_mail_open(void);
/* Queues a mail for a core (also this one); jcell_serve sends it. Over 1,024
 * queued mails for one core abort the program. */
void jcell_mail(int ue, const struct mail *mail);
/* Sends to each core the first mail that waits, if the last one is taken, and
 * handles the mails that have arrived. */
void jcell_serve(void);

/* objects.c: handles a mail that has arrived */
void jcell_handle(const struct mail *mail);
/* Sends a question of this kind to the core that this core takes for the head's
 * (if it is this core, answers at once by jcell_answered). */
void jcell_ask(enum kind kind, int object, int version);
/* Installs the version `version` that this core has committed as the new head,
 * on this core; informs core `holder`, which had the old head and the lock. */
void jcell_install(int object, const struct jcell_node *node, int version,
                   int holder);
void jcell_unlock(int object, int holder); /* sends UNLOCK to the holder */

/* transaction.c: handles an answer to this core */
void jcell_answered(const struct mail *mail);

/* cache.c: at most `size` versions, one of each object at most. The one used
 * least recently goes. */
bool jcell_cache_open(int objects, int size); /* false: no memory */
/* The version of the object in this core's cache, whose number goes to
 * `version`; null if the cache has none. Counts as a use. */
const struct jcell_node *jcell_cached(int object, int32_t *version);
void jcell_keep(int object, const struct jcell_node *node, int32_t version);
void jcell_drop(int object); /* nothing if there is none */

#endif
