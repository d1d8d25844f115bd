/*
 * local.c: what each thread has of its own: values of keys, and the variables
 * declared _Thread_local, which begin anew with each thread of a core.
 */
#include "threads.h"

#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

#define ROUNDS 4 /* PTHREAD_DESTRUCTOR_ITERATIONS */

static _Thread_local void *values[CRF_KEYS];

int pthread_key_create(pthread_key_t *key, void (*destructor)(void *))
{
    struct crf_object *guard = crf_object(CRF_ALL_KEYS, CRF_THREAD, 0);
    uint32_t number = crf_control->keys;

    if (number < CRF_KEYS) {
        crf_control->destructor[number] = (uint32_t)destructor;
        crf_control->keys = number + 1;
    }
    crf_object_done(guard);
    *key = number;
    return number < CRF_KEYS ? 0 : EAGAIN;
}

/* Its number is not given to another one. */
int pthread_key_delete(pthread_key_t key)
{
    if (key >= CRF_KEYS)
        return EINVAL;
    crf_control->destructor[key] = 0;
    return 0;
}

void *pthread_getspecific(pthread_key_t key)
{
    return key < CRF_KEYS ? values[key] : NULL;
}

int pthread_setspecific(pthread_key_t key, const void *value)
{
    if (key >= CRF_KEYS)
        return EINVAL;
    values[key] = (void *)(uintptr_t)value;
    return 0;
}

void crf_keys_end(void)
{
    int left = 1;

    for (int round = 0; left && round < ROUNDS; round++) {
        left = 0;
        for (uint32_t key = 0; key < CRF_KEYS; key++) {
            void *value = values[key];
            void (*destructor)(void *);

            if (!value)
                continue;
            values[key] = NULL;
            destructor = (void (*)(void *))crf_control->destructor[key];
            if (destructor) {
                destructor(value);
                left = 1;
            }
        }
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
