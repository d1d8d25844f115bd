/*
 * file.c: open files; processes share them across fork().
 */
#include "kernel.h"

#define MAX_OPEN 64

static struct file files[MAX_OPEN];

struct file *file_new(enum kind kind, struct pipe *pipe)
{
    struct file *file;

    for (file = files; file < files + MAX_OPEN; file++)
        if (file->references == 0) {
            *file = (struct file){1, kind, pipe};
            return file;
        }
    return 0;
}

void file_share(struct file *file)
{
    file->references++;
}

void file_drop(struct file *file)
{
    if (--file->references == 0 && file->kind != CONSOLE)
        pipe_close(file->pipe, file->kind);
}

/* The lowest number that is free in the current process. */
int file_open(struct file *file)
{
    int n;

    for (n = 0; n < MAX_FILES; n++)
        if (!current->files[n]) {
            current->files[n] = file;
            return n;
        }
    return NO_MEMORY;
}

struct file *file_of(uint32_t number)
{
    return number < MAX_FILES ? current->files[number] : 0;
}
