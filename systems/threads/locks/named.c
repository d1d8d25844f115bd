/*
 * named.c: semaphores with names. They are one program's: it starts without
 * any, and its end forgets them.
 */
#include "../threads.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <semaphore.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct named {
    struct named *next;
    sem_t semaphore;
    unsigned opened;
    char name[NAME_MAX + 1]; /* empty: unlinked */
};

/* The list lies in the shared heap, its head off-die. */
static struct named *first(void)
{
    return (struct named *)crf_control->names;
}

static void lock(void)
{
    crf_lock(CRF_ALL_NAMES, CRF_MUTEX, 0);
}

static int done(int error)
{
    crf_unlock(CRF_ALL_NAMES, CRF_MUTEX);
    if (!error)
        return 0;
    errno = error;
    return -1;
}

/* Without its slashes, which count; null, and errno: it cannot be one. */
static const char *plain(const char *name, int none)
{
    size_t length = strlen(name);

    while (*name == '/')
        name++;
    errno = length > NAME_MAX             ? ENAMETOOLONG
            : !*name || strchr(name, '/') ? none
                                          : 0;
    return errno ? NULL : name;
}

static struct named *find(const char *name)
{
    struct named *at = first();

    while (at && strcmp(at->name, name) != 0)
        at = at->next;
    return at;
}

static void forget(struct named *gone)
{
    struct named *at = first();

    if (at == gone) {
        crf_control->names = (uint32_t)gone->next;
    } else {
        while (at->next != gone)
            at = at->next;
        at->next = gone->next;
    }
    sem_destroy(&gone->semaphore);
    free(gone);
}

/* errno says why there is none. */
static struct named *make(const char *name, unsigned value)
{
    struct named *made;

    if (value > SEM_VALUE_MAX) {
        errno = EINVAL;
        return NULL;
    }
    made = calloc(1, sizeof *made);
    if (!made)
        return NULL;
    strcpy(made->name, name);
    sem_init(&made->semaphore, 0, value);
    made->next = first();
    crf_control->names = (uint32_t)made;
    return made;
}

sem_t *sem_open(const char *name, int flags, ...)
{
    unsigned value = 0;
    struct named *at;
    int error = 0;

    if (flags & O_CREAT) {
        va_list more;

        va_start(more, flags);
        (void)va_arg(more, unsigned); /* the mode: one program, one user */
        value = va_arg(more, unsigned);
        va_end(more);
    }
    name = plain(name, EINVAL);
    if (!name)
        return SEM_FAILED;
    lock();
    at = find(name);
    if (at && (flags & O_CREAT) && (flags & O_EXCL))
        error = EEXIST;
    else if (!at && !(flags & O_CREAT))
        error = ENOENT;
    else if (!at && !(at = make(name, value)))
        error = errno;
    else
        at->opened++;
    return done(error) ? SEM_FAILED : &at->semaphore;
}

int sem_close(sem_t *semaphore)
{
    struct named *at;
    int error = 0;

    lock();
    at = first();
    while (at && &at->semaphore != semaphore)
        at = at->next;
    if (!at || !at->opened)
        error = EINVAL;
    else if (--at->opened == 0 && !*at->name)
        forget(at);
    return done(error);
}

int sem_unlink(const char *name)
{
    struct named *at;

    name = plain(name, ENOENT);
    if (!name)
        return -1;
    lock();
    at = find(name);
    if (!at)
        return done(ENOENT);
    if (at->opened)
        *at->name = '\0';
    else
        forget(at);
    return done(0);
}
