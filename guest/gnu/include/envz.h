/*
 * envz.h: argz vectors whose strings are NAME=VALUE, or NAME for no value.
 */
#ifndef _ENVZ_H
#define _ENVZ_H

#include <argz.h>

__BEGIN_DECLS

char *envz_entry(const char *envz, size_t length, const char *name);
/* Null also for a name without a value. */
char *envz_get(const char *envz, size_t length, const char *name);
error_t envz_add(char **envz, size_t *length, const char *name,
                 const char *value);
error_t envz_merge(char **envz, size_t *length, const char *other,
                   size_t other_length, int override);
void envz_remove(char **envz, size_t *length, const char *name);
/* Removes the names without a value. */
void envz_strip(char **envz, size_t *length);

__END_DECLS

#endif
