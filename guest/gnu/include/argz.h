/*
 * argz.h: vectors of strings in one block, each with its NUL, without a null
 * pointer at the end. Functions that allocate return 0 or ENOMEM; `*argz` is
 * malloc's, or null for an empty vector.
 */
#ifndef _ARGZ_H
#define _ARGZ_H

#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/cdefs.h>

__BEGIN_DECLS

#ifndef __error_t_defined
#define __error_t_defined 1
typedef int error_t;
#endif

error_t argz_create(char *const argv[], char **argz, size_t *length);
error_t argz_create_sep(const char *text, int separator, char **argz,
                        size_t *length);
size_t argz_count(const char *argz, size_t length);
/* Fills argv, which has room for one pointer more than there are strings. */
void argz_extract(const char *argz, size_t length, char **argv);
/* Makes one string: each NUL but the last becomes the separator. */
void argz_stringify(char *argz, size_t length, int separator);
error_t argz_append(char **argz, size_t *length, const char *other,
                    size_t other_length);
error_t argz_add(char **argz, size_t *length, const char *text);
error_t argz_add_sep(char **argz, size_t *length, const char *text,
                     int separator);
/* Removes the string that begins at `entry`. */
void argz_delete(char **argz, size_t *length, char *entry);
/* Inserts before the string with `before` in it; EINVAL outside; null:
 * appends. */
error_t argz_insert(char **argz, size_t *length, char *before,
                    const char *text);
/* Replaces each `text` in the strings by `with` and adds their number to
 * `*count`, if given. */
error_t argz_replace(char **argz, size_t *length, const char *text,
                     const char *with, unsigned int *count);
/* The string after `entry` (null: the first); null behind the last. */
char *argz_next(const char *argz, size_t length, const char *entry);

__END_DECLS

#endif
