/*
 * wordexp.c: words as a shell makes them of a text, without a shell: quotes,
 * variables, a home, names of files. musl's asks /bin/sh, and a core runs no
 * second program; so commands and arithmetic are refused (WRDE_CMDSUB,
 * WRDE_SYNTAX).
 */
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <wordexp.h>

#include "words.h"

/* ~ and ~user at the start of a word; `*at` moves to the last letter. */
static void home(struct made *made, const char **at)
{
    size_t length = strcspn(*at + 1, "/ \t\n");
    char *user = strndup(*at + 1, length);
    const struct passwd *entry = user != NULL && length ? getpwnam(user) : NULL;
    const char *folder = length ? entry ? entry->pw_dir : NULL : getenv("HOME");

    free(user);
    if (folder == NULL) {
        __words_put(&made->word, '~', false);
        return;
    }
    *at += length;
    __words_value(made, folder, true);
}

/* "..."; `*at` moves to the closing quote. */
static int in_quotes(struct made *made, const char **at)
{
    int error = 0;

    made->word.begun = true;
    for (++*at; error == 0 && **at != '"'; ++*at) {
        if (**at == 0)
            return WRDE_SYNTAX;
        if (**at == '`')
            return WRDE_CMDSUB;
        if (**at == '$') {
            error = __words_dollar(made, at, true);
            continue;
        }
        if (**at == '\\' && (*at)[1] != 0 && strchr("$`\"\\", (*at)[1]))
            ++*at;
        __words_put(&made->word, **at, true);
    }
    return error;
}

static int expand(struct made *made, const char *at)
{
    int error = 0;

    for (; error == 0 && *at != 0; at++) {
        if (*at == ' ' || *at == '\t') {
            error = __words_end(made);
        } else if (strchr("\n|&;<>(){}", *at) != NULL) {
            error = WRDE_BADCHAR;
        } else if (*at == '`') {
            error = WRDE_CMDSUB;
        } else if (*at == '$') {
            error = __words_dollar(made, &at, false);
        } else if (*at == '"') {
            error = in_quotes(made, &at);
        } else if (*at == '~' && !made->word.begun) {
            home(made, &at);
        } else if (*at == '\'') {
            made->word.begun = true;
            while (*++at != '\'' && *at != 0)
                __words_put(&made->word, *at, true);
            if (*at == 0)
                return WRDE_SYNTAX;
        } else if (*at == '\\') {
            if (*++at == 0)
                return WRDE_SYNTAX;
            __words_put(&made->word, *at, true);
        } else {
            __words_put(&made->word, *at, false);
        }
    }
    return error ? error : __words_end(made);
}

/* Behind the words that are there, or behind empty places. */
static int append(struct made *made, wordexp_t *words, size_t empty)
{
    size_t old = made->flags & WRDE_APPEND ? words->we_wordc : 0;
    char **before = made->flags & WRDE_APPEND ? words->we_wordv : NULL;
    size_t all = empty + old + made->count + 1;
    char **joined = realloc(before, all * sizeof *joined);

    if (joined == NULL)
        return WRDE_NOSPACE;
    if (before == NULL)
        memset(joined, 0, empty * sizeof *joined);
    if (made->count)
        memcpy(joined + empty + old, made->words, made->count * sizeof *joined);
    joined[all - 1] = NULL;
    words->we_wordv = joined;
    words->we_wordc = old + made->count;
    made->count = 0;
    return 0;
}

int wordexp(const char *restrict text, wordexp_t *restrict words, int flags)
{
    struct made made = {.flags = flags};
    size_t empty = flags & WRDE_DOOFFS ? words->we_offs : 0;
    int error;

    if (flags & WRDE_REUSE)
        wordfree(words);
    error = __words_begin(&made.word);
    if (error == 0)
        error = expand(&made, text);
    if (error == 0 || error == WRDE_NOSPACE)
        error = append(&made, words, empty) ? WRDE_NOSPACE : error;
    __words_drop(&made.word);
    while (made.count)
        free(made.words[--made.count]);
    free(made.words);
    return error;
}

void wordfree(wordexp_t *words)
{
    size_t empty = words->we_wordv ? words->we_offs : 0;

    for (size_t i = 0; i < words->we_wordc; i++)
        free(words->we_wordv[empty + i]);
    free(words->we_wordv);
    words->we_wordv = NULL;
    words->we_wordc = 0;
}
