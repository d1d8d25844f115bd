/*
 * sys/queue.h: lists and queues as macros, as in BSD's manual page queue(3).
 * SLIST and STAILQ link forwards, LIST and TAILQ both ways.
 */
#ifndef _SYS_QUEUE_H
#define _SYS_QUEUE_H

#include <stddef.h>

/* Each loop and each search is one of these. */
#define _QUEUE_EACH(item, from, field, link) \
    for ((item) = (from); (item); (item) = (item)->field.link)
#define _QUEUE_EACH_SAFE(item, from, field, link, then)               \
    for ((item) = (from); (item) && ((then) = (item)->field.link, 1); \
         (item) = (then))

/* SLIST: a head with the first item. */
#define SLIST_HEAD(name, type)  \
    struct name {               \
        struct type *slh_first; \
    }
#define SLIST_HEAD_INITIALIZER(head) {NULL}
#define SLIST_ENTRY(type)      \
    struct {                   \
        struct type *sle_next; \
    }
#define SLIST_INIT(head) ((void)((head)->slh_first = NULL))
#define SLIST_FIRST(head) ((head)->slh_first)
#define SLIST_END(head) NULL
#define SLIST_EMPTY(head) ((head)->slh_first == NULL)
#define SLIST_NEXT(item, field) ((item)->field.sle_next)
#define SLIST_FOREACH(item, head, field) \
    _QUEUE_EACH(item, (head)->slh_first, field, sle_next)
#define SLIST_FOREACH_SAFE(item, head, field, then) \
    _QUEUE_EACH_SAFE(item, (head)->slh_first, field, sle_next, then)
#define SLIST_INSERT_HEAD(head, item, field)        \
    do {                                            \
        (item)->field.sle_next = (head)->slh_first; \
        (head)->slh_first = (item);                 \
    } while (0)
#define SLIST_INSERT_AFTER(before, item, field)            \
    do {                                                   \
        (item)->field.sle_next = (before)->field.sle_next; \
        (before)->field.sle_next = (item);                 \
    } while (0)
#define SLIST_REMOVE_HEAD(head, field) \
    ((void)((head)->slh_first = (head)->slh_first->field.sle_next))
#define SLIST_REMOVE_AFTER(before, field) \
    ((void)((before)->field.sle_next =    \
                (before)->field.sle_next->field.sle_next))
#define SLIST_REMOVE(head, item, type, field)   \
    do {                                        \
        struct type **_at = &(head)->slh_first; \
        while (*_at != (item))                  \
            _at = &(*_at)->field.sle_next;      \
        *_at = (*_at)->field.sle_next;          \
    } while (0)

/* LIST: an item knows the pointer that points at it. */
#define LIST_HEAD(name, type)  \
    struct name {              \
        struct type *lh_first; \
    }
#define LIST_HEAD_INITIALIZER(head) {NULL}
#define LIST_ENTRY(type)                 \
    struct {                             \
        struct type *le_next, **le_prev; \
    }
#define LIST_INIT(head) ((void)((head)->lh_first = NULL))
#define LIST_FIRST(head) ((head)->lh_first)
#define LIST_END(head) NULL
#define LIST_EMPTY(head) ((head)->lh_first == NULL)
#define LIST_NEXT(item, field) ((item)->field.le_next)
#define LIST_FOREACH(item, head, field) \
    _QUEUE_EACH(item, (head)->lh_first, field, le_next)
#define LIST_FOREACH_SAFE(item, head, field, then) \
    _QUEUE_EACH_SAFE(item, (head)->lh_first, field, le_next, then)
#define _LIST_INSERT(place, item, field)                                   \
    do {                                                                   \
        (item)->field.le_prev = (place);                                   \
        (item)->field.le_next = *(item)->field.le_prev;                    \
        *(item)->field.le_prev = (item);                                   \
        if ((item)->field.le_next)                                         \
            (item)->field.le_next->field.le_prev = &(item)->field.le_next; \
    } while (0)
#define LIST_INSERT_HEAD(head, item, field) \
    _LIST_INSERT(&(head)->lh_first, item, field)
#define LIST_INSERT_AFTER(before, item, field) \
    _LIST_INSERT(&(before)->field.le_next, item, field)
#define LIST_INSERT_BEFORE(behind, item, field) \
    _LIST_INSERT((behind)->field.le_prev, item, field)
#define LIST_REMOVE(item, field)                                          \
    do {                                                                  \
        *(item)->field.le_prev = (item)->field.le_next;                   \
        if ((item)->field.le_next)                                        \
            (item)->field.le_next->field.le_prev = (item)->field.le_prev; \
    } while (0)

/* STAILQ and SIMPLEQ: a head with the first item and the last pointer. */
#define STAILQ_HEAD(name, type)               \
    struct name {                             \
        struct type *stqh_first, **stqh_last; \
    }
#define STAILQ_HEAD_INITIALIZER(head) {NULL, &(head).stqh_first}
#define STAILQ_ENTRY(type)      \
    struct {                    \
        struct type *stqe_next; \
    }
#define STAILQ_INIT(head) \
    ((void)((head)->stqh_first = NULL, (head)->stqh_last = &(head)->stqh_first))
#define STAILQ_FIRST(head) ((head)->stqh_first)
#define STAILQ_EMPTY(head) ((head)->stqh_first == NULL)
#define STAILQ_NEXT(item, field) ((item)->field.stqe_next)
#define STAILQ_FOREACH(item, head, field) \
    _QUEUE_EACH(item, (head)->stqh_first, field, stqe_next)
#define STAILQ_FOREACH_SAFE(item, head, field, then) \
    _QUEUE_EACH_SAFE(item, (head)->stqh_first, field, stqe_next, then)
#define _STAILQ_INSERT(head, place, item, field)          \
    do {                                                  \
        if (((item)->field.stqe_next = *(place)) == NULL) \
            (head)->stqh_last = &(item)->field.stqe_next; \
        *(place) = (item);                                \
    } while (0)
#define STAILQ_INSERT_HEAD(head, item, field) \
    _STAILQ_INSERT(head, &(head)->stqh_first, item, field)
#define STAILQ_INSERT_AFTER(head, before, item, field) \
    _STAILQ_INSERT(head, &(before)->field.stqe_next, item, field)
#define STAILQ_INSERT_TAIL(head, item, field)         \
    do {                                              \
        (item)->field.stqe_next = NULL;               \
        *(head)->stqh_last = (item);                  \
        (head)->stqh_last = &(item)->field.stqe_next; \
    } while (0)
#define STAILQ_REMOVE_HEAD(head, field)                                   \
    do {                                                                  \
        if (((head)->stqh_first = (head)->stqh_first->field.stqe_next) == \
            NULL)                                                         \
            (head)->stqh_last = &(head)->stqh_first;                      \
    } while (0)
#define STAILQ_REMOVE(head, item, type, field)        \
    do {                                              \
        struct type **_at = &(head)->stqh_first;      \
        while (*_at != (item))                        \
            _at = &(*_at)->field.stqe_next;           \
        if ((*_at = (*_at)->field.stqe_next) == NULL) \
            (head)->stqh_last = _at;                  \
    } while (0)

#define SIMPLEQ_HEAD STAILQ_HEAD
#define SIMPLEQ_HEAD_INITIALIZER STAILQ_HEAD_INITIALIZER
#define SIMPLEQ_ENTRY STAILQ_ENTRY
#define SIMPLEQ_INIT STAILQ_INIT
#define SIMPLEQ_FIRST STAILQ_FIRST
#define SIMPLEQ_EMPTY STAILQ_EMPTY
#define SIMPLEQ_NEXT STAILQ_NEXT
#define SIMPLEQ_FOREACH STAILQ_FOREACH
#define SIMPLEQ_INSERT_HEAD STAILQ_INSERT_HEAD
#define SIMPLEQ_INSERT_AFTER STAILQ_INSERT_AFTER
#define SIMPLEQ_INSERT_TAIL STAILQ_INSERT_TAIL
#define SIMPLEQ_REMOVE_HEAD STAILQ_REMOVE_HEAD
#define SIMPLEQ_REMOVE STAILQ_REMOVE

/* TAILQ: a head and an item are alike, so that the last one is found. */
#define TAILQ_HEAD(name, type)              \
    struct name {                           \
        struct type *tqh_first, **tqh_last; \
    }
#define TAILQ_HEAD_INITIALIZER(head) {NULL, &(head).tqh_first}
#define TAILQ_ENTRY(type)                  \
    struct {                               \
        struct type *tqe_next, **tqe_prev; \
    }
#define TAILQ_INIT(head) \
    ((void)((head)->tqh_first = NULL, (head)->tqh_last = &(head)->tqh_first))
#define TAILQ_FIRST(head) ((head)->tqh_first)
#define TAILQ_END(head) NULL
#define TAILQ_EMPTY(head) ((head)->tqh_first == NULL)
#define TAILQ_NEXT(item, field) ((item)->field.tqe_next)
#define TAILQ_LAST(head, name) (*((struct name *)(head)->tqh_last)->tqh_last)
#define TAILQ_PREV(item, name, field) \
    (*((struct name *)(item)->field.tqe_prev)->tqh_last)
#define TAILQ_FOREACH(item, head, field) \
    _QUEUE_EACH(item, (head)->tqh_first, field, tqe_next)
#define TAILQ_FOREACH_SAFE(item, head, field, then) \
    _QUEUE_EACH_SAFE(item, (head)->tqh_first, field, tqe_next, then)
#define TAILQ_FOREACH_REVERSE(item, head, name, field) \
    for ((item) = TAILQ_LAST(head, name); (item);      \
         (item) = TAILQ_PREV(item, name, field))
#define _TAILQ_INSERT(head, place, item, field)                               \
    do {                                                                      \
        (item)->field.tqe_prev = (place);                                     \
        (item)->field.tqe_next = *(item)->field.tqe_prev;                     \
        *(item)->field.tqe_prev = (item);                                     \
        if ((item)->field.tqe_next)                                           \
            (item)->field.tqe_next->field.tqe_prev = &(item)->field.tqe_next; \
        else                                                                  \
            (head)->tqh_last = &(item)->field.tqe_next;                       \
    } while (0)
#define TAILQ_INSERT_HEAD(head, item, field) \
    _TAILQ_INSERT(head, &(head)->tqh_first, item, field)
#define TAILQ_INSERT_TAIL(head, item, field) \
    _TAILQ_INSERT(head, (head)->tqh_last, item, field)
#define TAILQ_INSERT_AFTER(head, before, item, field) \
    _TAILQ_INSERT(head, &(before)->field.tqe_next, item, field)
#define TAILQ_INSERT_BEFORE(behind, item, field)            \
    do {                                                    \
        (item)->field.tqe_prev = (behind)->field.tqe_prev;  \
        (item)->field.tqe_next = (behind);                  \
        *(item)->field.tqe_prev = (item);                   \
        (behind)->field.tqe_prev = &(item)->field.tqe_next; \
    } while (0)
#define TAILQ_REMOVE(head, item, field)                                      \
    do {                                                                     \
        if ((item)->field.tqe_next)                                          \
            (item)->field.tqe_next->field.tqe_prev = (item)->field.tqe_prev; \
        else                                                                 \
            (head)->tqh_last = (item)->field.tqe_prev;                       \
        *(item)->field.tqe_prev = (item)->field.tqe_next;                    \
    } while (0)

#endif
