/*
 * local.c: what each thread has of its own: values of keys, and the variables
 * declared _Thread_local, which begin anew with each thread of a core.
 */
#include "../threads.h"

#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

#define ROUNDS 4 /* PTHREAD_DESTRUCTOR_ITERATIONS */

/* A key is a place in the table and, above it, how often the place was given
 * out: what a thread has left there of an earlier key is nobody's. */
static _Thread_local struct {
    pthread_key_t key;
    void *value;
} values[CRF_KEYS];

static struct crf_object *keys(void)
{
    return crf_object(CRF_ALL_KEYS, CRF_THREAD, 0);
}

int pthread_key_create(pthread_key_t *key, void (*destructor)(void *))
{
    struct crf_object *guard = keys();
    uint32_t place = 0;

    while (place < CRF_KEYS && crf_control->key[place].used)
        place++;
    if (place < CRF_KEYS) {
        crf_control->key[place].used = 1;
        crf_control->key[place].destructor = (uint32_t)destructor;
        *key = place + CRF_KEYS * ++crf_control->key[place].times;
    }
    crf_object_done(guard);
    return place < CRF_KEYS ? 0 : EAGAIN;
}

static int is_key(pthread_key_t key)
{
    return crf_control->key[key % CRF_KEYS].used &&
           crf_control->key[key % CRF_KEYS].times == key / CRF_KEYS;
}

int pthread_key_delete(pthread_key_t key)
{
    struct crf_object *guard = keys();
    int right = is_key(key);

    if (right)
        crf_control->key[key % CRF_KEYS].used = 0;
    crf_object_done(guard);
    return right ? 0 : EINVAL;
}

void *pthread_getspecific(pthread_key_t key)
{
    return values[key % CRF_KEYS].key == key ? values[key % CRF_KEYS].value
                                             : NULL;
}

int pthread_setspecific(pthread_key_t key, const void *value)
{
    if (!is_key(key))
        return EINVAL;
    values[key % CRF_KEYS].key = key;
    values[key % CRF_KEYS].value = (void *)(uintptr_t)value;
    return 0;
}

/* True if there was something to destroy. */
static int destroy(uint32_t place)
{
    pthread_key_t key = values[place].key;
    void *value = values[place].value;
    void (*destructor)(void *);

    if (!value)
        return 0;
    values[place].value = NULL;
    destructor = (void (*)(void *))crf_control->key[place].destructor;
    if (!destructor || !is_key(key))
        return 0;
    destructor(value);
    return 1;
}

void crf_keys_end(void)
{
    int left = 1;

    for (int round = 0; left && round < ROUNDS; round++) {
        left = 0;
        for (uint32_t place = 0; place < CRF_KEYS; place++)
            left |= destroy(place);
    }
}

/* The variables lie below the thread pointer, as large as their image in the
 * file and aligned as it says (variant II of the ABI). */
static struct {
    const char *image;
    char *start;
    size_t of_image, bytes;
} local;

void crf_local_find(void)
{
    const Elf32_Phdr *header = (const Elf32_Phdr *)getauxval(AT_PHDR);
    uint32_t count = (uint32_t)getauxval(AT_PHNUM);
    char *pointer;

    __asm__("movl %%gs:0, %0" : "=r"(pointer));
    for (uint32_t n = 0; n < count; n++) {
        if (header[n].p_type != PT_TLS)
            continue;
        local.image = (const char *)header[n].p_vaddr;
        local.of_image = header[n].p_filesz;
        local.bytes = header[n].p_memsz;
        local.start = pointer - ((header[n].p_memsz + header[n].p_align - 1) &
                                 ~(header[n].p_align - 1));
    }
}

size_t crf_local_bytes(void)
{
    return local.bytes;
}

void crf_local_begin(char *copy)
{
    memcpy(copy, local.image, local.of_image);
    memset(copy + local.of_image, 0, local.bytes - local.of_image);
}

void crf_local_save(char *copy)
{
    memcpy(copy, local.start, local.bytes);
}

void crf_local_load(const char *copy)
{
    memcpy(local.start, copy, local.bytes);
}
