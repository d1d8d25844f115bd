/* Writable shared mappings of files.
 *
 * The pages are a copy of the file, as those of a private mapping are; what
 * the program wrote goes into the file at msync, munmap and the end of the
 * program, also one by a signal. In between, reads of the file do not see
 * it, nor do other mappings: nothing but this program has the file mapped.
 */
#include "abi/abi.h"
#include "lib/types.h"
#include "lib/x86.h"
#include "memory/layout.h"
#include "memory/memory.h"
#include "open_files/file.h"

#define SHARED_MAX 64u

struct shared {
    u32 start, end;
    u64 offset;        /* of start in the file */
    struct file *file; /* null: this entry is free */
};

static struct shared mappings[SHARED_MAX];
static u32 mappings_end; /* entries from here on were never asked for */

static struct shared *free_entry(void)
{
    for (u32 n = 0; n < SHARED_MAX; n++)
        if (!mappings[n].file) {
            if (mappings_end <= n)
                mappings_end = n + 1;
            return &mappings[n];
        }
    return NULL;
}

/* Takes the dirty bit: what is there now is what the file has. */
static bool take_dirty(u32 page)
{
    u32 *entry = vm_entry(page);

    if (!entry || !(*entry & PTE_PRESENT) || !(*entry & PTE_DIRTY))
        return false;
    *entry &= ~PTE_DIRTY;
    invalidate_page(page);
    return true;
}

/* The file's bytes are in memory: from now on what is written counts. */
s32 shared_add(u32 start, u32 end, struct file *file, u64 offset)
{
    struct shared *entry = free_entry();

    if (!entry)
        return -ENOMEM;
    for (u32 page = start; page < end; page += PAGE_SIZE)
        take_dirty(page);
    file->references++;
    *entry = (struct shared){start, end, offset, file};
    return 0;
}

static s32 write_back(const struct shared *mapping, u32 start, u32 end)
{
    struct status status;
    s32 result = mapping->file->ops->status(mapping->file, &status);

    for (u32 page = start; page < end && result >= 0; page += PAGE_SIZE) {
        u64 offset = mapping->offset + (page - mapping->start);
        u32 count = PAGE_SIZE;

        /* Bytes behind the end of the file are nobody's. */
        if (!take_dirty(page) || offset >= status.size)
            continue;
        if (status.size - offset < count)
            count = (u32)(status.size - offset);
        result = mapping->file->ops->write(mapping->file, (const void *)page,
                                           count, offset);
    }
    return result < 0 ? result : 0;
}

bool shared_overlaps(u32 start, u32 end)
{
    for (u32 n = 0; n < mappings_end; n++)
        if (mappings[n].file && mappings[n].start < end &&
            mappings[n].end > start)
            return true;
    return false;
}

/* Writes what is dirty between two addresses into the files. */
s32 shared_sync(u32 start, u32 end)
{
    s32 result = 0;

    for (u32 n = 0; n < mappings_end; n++) {
        const struct shared *mapping = &mappings[n];
        u32 from = mapping->start > start ? mapping->start : start;
        u32 to = mapping->end < end ? mapping->end : end;

        if (mapping->file && from < to) {
            s32 error = write_back(mapping, from, to);

            if (!result)
                result = error;
        }
    }
    return result;
}

/* Before the addresses are given to something else. */
s32 shared_remove(u32 start, u32 end)
{
    for (u32 n = 0; n < mappings_end; n++) {
        struct shared *mapping = &mappings[n];
        struct shared upper = *mapping;

        if (!mapping->file || mapping->start >= end || mapping->end <= start)
            continue;
        if (mapping->start < start && mapping->end > end && !free_entry())
            return -ENOMEM;
        shared_sync(start, end);
        if (mapping->end > end) {
            upper.start = end;
            upper.offset += end - mapping->start;
            upper.file->references++;
            if (mapping->start < start)
                *free_entry() = upper;
        }
        if (mapping->start < start) {
            mapping->end = start;
        } else {
            file_release(mapping->file);
            mapping->file = NULL;
            if (upper.end > end)
                *mapping = upper;
        }
    }
    return 0;
}

/* The process is a copy of another one: so are its pages, and what either
 * writes goes into the file. */
void shared_copied(void)
{
    for (u32 n = 0; n < mappings_end; n++)
        if (mappings[n].file)
            mappings[n].file->references++;
}
