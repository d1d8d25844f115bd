/*
 * objects.c: heads and proxies.
 *
 * A request goes to where this core believes the head to be and from proxy to
 * proxy; the answer goes straight back and says where the head is. The core
 * that writes an object has its head from then on; the old holder becomes a
 * proxy and notifies the holders before it, `depth` in all.
 */
#include "RCCE.h"
#include "chip.h"

struct object *jcell_objects;
int jcell_depth, jcell_finished;
bool jcell_stopped;

static void answer(const struct mail *request, struct object *object)
{
    struct mail reply = *request;
    bool free = object->lock == NOBODY || object->lock == request->from;

    reply.kind = (uint8_t)(request->kind + 1);
    reply.holder = (uint8_t)RCCE_ue();
    reply.version = object->version;
    reply.node = object->node;
    reply.answer = YES;
    if (request->kind != FETCH) {
        reply.answer = !free ? BUSY : YES;
        if (request->version != object->version)
            reply.answer = OUTDATED;
    }
    if (request->kind == LOCK && reply.answer == YES)
        object->lock = request->from;
    if (request->from == RCCE_ue())
        jcell_answered(&reply);
    else
        jcell_mail(request->from, &reply);
}

/* `core` has or had a version newer than those that this core knows. */
static void learn(struct object *object, int version, int core)
{
    if (version > object->version && core != RCCE_ue()) {
        object->version = version;
        object->head_at = (uint8_t)core;
    }
}

static void tell_earlier(const struct object *object, const struct mail *news)
{
    struct mail mail = *news;

    if (news->hops == 0 || object->before == NOBODY ||
        object->before == news->from)
        return;
    mail.kind = NEWER;
    mail.hops--;
    jcell_mail(object->before, &mail);
}

/* The head has gone to the writer. */
static void moved(struct object *object, const struct mail *mail)
{
    object->lock = NOBODY;
    learn(object, mail->version, mail->from);
    tell_earlier(object, mail);
}

void jcell_handle(const struct mail *mail)
{
    struct object *object = &jcell_objects[mail->object];
    struct mail onward = *mail;

    switch (mail->kind) {
    case FETCH:
    case LOCK:
    case CHECK:
        if (object->head_at == HERE) {
            answer(mail, object);
            break;
        }
        onward.hops += onward.hops < 255;
        jcell_mail(object->head_at, &onward);
        break;
    case VALUE:
    case LOCKED:
    case CHECKED:
        learn(object, mail->version, mail->holder);
        jcell_answered(mail);
        break;
    case UNLOCK:
        object->lock = NOBODY;
        break;
    case MOVED:
        moved(object, mail);
        break;
    case NEWER:
        /* A holder hears of its loss from the writer first. */
        if (object->head_at != HERE)
            learn(object, mail->version, mail->from);
        tell_earlier(object, mail);
        break;
    case DONE:
        jcell_finished++;
        break;
    case STOP:
        jcell_stopped = true;
        break;
    }
}

void jcell_ask(enum kind kind, int object, int version)
{
    struct mail mail = {.kind = (uint8_t)kind,
                        .from = (uint8_t)RCCE_ue(),
                        .object = (uint16_t)object,
                        .version = version};

    jcell_handle(&mail);
}

void jcell_install(int object, const struct jcell_node *node, int version,
                   int holder)
{
    struct object *it = &jcell_objects[object];
    struct mail news = {.kind = MOVED,
                        .from = (uint8_t)RCCE_ue(),
                        .object = (uint16_t)object,
                        .hops = (uint8_t)(jcell_depth - 1),
                        .version = version};

    it->node = *node;
    it->version = version;
    it->head_at = HERE;
    it->lock = NOBODY;
    if (holder == RCCE_ue())
        return;
    it->before = (uint8_t)holder;
    jcell_mail(holder, &news);
}

void jcell_unlock(int object, int holder)
{
    struct mail mail = {.kind = UNLOCK, .object = (uint16_t)object};

    if (holder == RCCE_ue())
        jcell_handle(&mail);
    else
        jcell_mail(holder, &mail);
}
