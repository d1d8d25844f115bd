/*
 * words.h: what the parts of wordexp() share.
 */
#ifndef WORDS_H
#define WORDS_H

#include <stdbool.h>
#include <stdio.h>

/* A word in the making, twice: as it is, and as a pattern, where a backslash
 * stands before what was quoted. */
struct word {
    FILE *plain, *pattern;
    char *plain_text, *pattern_text;
    size_t plain_size, pattern_size;
    bool begun, is_pattern;
};

struct made {
    struct word word;
    char **words;
    size_t count;
    int flags;
};

/* Calls return 0 or an error of wordexp(). */
int __words_begin(struct word *word);
void __words_drop(struct word *word);
void __words_put(struct word *word, char letter, bool quoted);
/* The end of a word: names of files in the place of a pattern that has some. */
int __words_end(struct made *made);

/* A value: in quotes one piece, otherwise split at white space (IFS). */
int __words_value(struct made *made, const char *value, bool quoted);
/* Behind a $; `*at` moves to the last letter of what was taken. */
int __words_dollar(struct made *made, const char **at, bool quoted);

#endif
