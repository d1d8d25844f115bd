/*
 * crf_say.c: errors in words: what, where, and a hint.
 */
#include "crf_private.h"
#include "models/model.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

static void where(void)
{
    fprintf(stderr, "crf: thread on core %d: ", crf_core_of[crf_my_rank]);
}

void crf_fail(const char *hint, const char *format, ...)
{
    va_list arguments;

    where();
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fprintf(stderr, "\nhint: %s\n", hint);
    fflush(NULL);
    if (crf_control) {
        crf_control->gone = 1; /* nobody waits for anybody's pages */
        crf_end_all();
    }
    _exit(1);
}

static const char *way_out(void)
{
    if (crf_shared_bytes() == CRF_SHARED_MOST)
        return "there is no more for threads: use less at a time";
    if (!crf_model->borrows)
        return "another --threads-model has up to 256 MB";
    return "cores that do not run lend memory, up to 256 MB in all: run on "
           "fewer cores";
}

/* Not through stderr: who asks may hold its lock. */
void crf_say_unseen(const char *path)
{
    static int said;

    if (said || (strncmp(path, "/tmp/", 5) && strncmp(path, "/dev/shm/", 9)))
        return;
    said = 1;
    dprintf(2,
            "crf: thread on core %d: %s is not to be found here: files in "
            "/tmp and /dev/shm are in the memory of the core that made them\n"
            "hint: rck run --share DIR, with a folder tmp in DIR\n",
            crf_core_of[crf_my_rank], path);
}

/* A file that a thread opens here and that the last file of another core was
 * made as. With a shared folder, /tmp may be in that. */
void crf_say_opened(const char *path, uint32_t flags, int32_t opened)
{
    struct statfs space;
    uint32_t hash = 5381;

    if (crf_all_ranks == 1 || strncmp(path, "/tmp/", 5) ||
        (opened < 0 && opened != -ENOENT))
        return;
    for (const char *at = path; *at; at++)
        hash = hash * 33 + (uint8_t)*at;
    if (opened >= 0 && flags & O_CREAT)
        crf_control->made[crf_my_rank] = hash;
    for (int n = 0; opened < 0 && n < crf_all_ranks; n++)
        if (n != crf_my_rank && crf_control->made[n] == hash &&
            statfs("/tmp", &space) == 0 && space.f_blocks == 0)
            crf_say_unseen(path);
}

/* Not through stderr: who asks may hold its lock. */
void crf_say_full(size_t bytes)
{
    static int said;

    if (said)
        return;
    said = 1;
    crf_guard(0);
    crf_lend();
    crf_unguard(0);
    dprintf(2,
            "crf: thread on core %d: malloc of %u KB returns null: of the %u "
            "MB that threads share %u KB are left\nhint: %s\n",
            crf_core_of[crf_my_rank], (unsigned)(bytes / 1024),
            (unsigned)(crf_shared_bytes() >> 20),
            (unsigned)(crf_pages_left() * (CRF_PAGE / 1024)), way_out());
}

void crf_say_fault(const char *address, uint32_t eip, int write)
{
    where();
    fprintf(stderr, "%s %p by the instruction at 0x%08x: ",
            write ? "write to" : "read of", (const void *)address,
            (unsigned)eip);
    if (crf_running && crf_page_of(address) != CRF_NO_PAGE)
        fprintf(
            stderr,
            "below the stack of a thread\n"
            "hint: this thread's stack has %u KB; pthread_attr_setstacksize "
            "asks for more, larger arrays belong to malloc or static\n",
            (unsigned)(crf_running->top - crf_running->bottom) / 1024);
    else
        fprintf(stderr, "no memory is there\n"
                        "hint: shared are static data, malloc's memory and "
                        "the threads' stacks\n");
}
