/*
 * record.c: records: labels with blocks or integers.
 */
#include "snet_private.h"

#include <stdio.h>
#include <string.h>

const struct snet_net *snet_current;

int snet_is_tag(int label)
{
    return snet_current->labels[label][0] == '<';
}

snet_record *snet_new(void)
{
    snet_record *record = lpel_malloc(sizeof *record);

    record->announced = NULL;
    record->count = 0;
    return record;
}

void snet_drop(snet_record *record)
{
    for (uint32_t n = 0; n < record->count; n++)
        if (!snet_is_tag(record->entry[n].label))
            lpel_free((void *)record->entry[n].value);
    lpel_free(record);
}

static int find(const snet_record *record, int label)
{
    for (uint32_t n = 0; n < record->count; n++)
        if (record->entry[n].label == label)
            return (int)n;
    return -1;
}

static int need(const snet_record *record, int label)
{
    int at = find(record, label);

    if (at < 0)
        lpel_fail("the box's type says what it may take",
                  "there is no %s in a record of %s",
                  snet_current->labels[label], snet_told(snet_type(record)));
    return at;
}

void *snet_take(snet_record *record, int label)
{
    int at = need(record, label);
    void *block = (void *)record->entry[at].value;

    record->entry[at] = record->entry[--record->count];
    return block;
}

int snet_tag(const snet_record *record, int label)
{
    return (int)record->entry[need(record, label)].value;
}

int snet_has(const snet_record *record, int label)
{
    return find(record, label) >= 0;
}

static void set(snet_record *record, int label, uintptr_t value)
{
    int at = find(record, label);

    if (at < 0 && record->count == SNET_ENTRIES)
        lpel_fail("put more into a field", "a record of over %d labels: %s",
                  SNET_ENTRIES, snet_told(snet_type(record)));
    if (at < 0)
        at = (int)record->count++;
    else if (!snet_is_tag(label))
        lpel_free((void *)record->entry[at].value);
    record->entry[at].label = label;
    record->entry[at].value = value;
}

void snet_put(snet_record *record, int label, void *block)
{
    set(record, label, (uintptr_t)block);
}

void snet_set(snet_record *record, int label, int value)
{
    set(record, label, (uintptr_t)value);
}

uint64_t snet_type(const snet_record *record)
{
    uint64_t type = 0;

    for (uint32_t n = 0; n < record->count; n++)
        type |= 1ull << record->entry[n].label;
    return type;
}

const char *snet_told(uint64_t type)
{
    static char text[256];
    size_t at = 0;

    text[0] = 0;
    for (int label = 0; label < 64 && at < sizeof text - 40; label++)
        if (type >> label & 1)
            at += (size_t)snprintf(text + at, sizeof text - at, "%s%.32s",
                                   at ? ", " : "", snet_current->labels[label]);
    return at ? text : "no labels";
}

static int count_labels(uint64_t type)
{
    int count = 0;

    for (; type; type &= type - 1)
        count++;
    return count;
}

int snet_match(uint64_t type, const uint64_t *types)
{
    int best = -1;

    for (; *types; types++)
        if ((*types & ~type) == 0 && count_labels(*types) > best)
            best = count_labels(*types);
    return best;
}

void snet_inherit(snet_record *to, const snet_record *from)
{
    for (uint32_t n = 0; n < from->count; n++) {
        int label = from->entry[n].label;
        void *block = (void *)from->entry[n].value, *copy;

        if (find(to, label) >= 0)
            continue;
        if (snet_is_tag(label)) {
            snet_set(to, label, (int)from->entry[n].value);
            continue;
        }
        copy = lpel_malloc(lpel_size(block));
        memcpy(copy, block, lpel_size(block));
        snet_put(to, label, copy);
    }
}
