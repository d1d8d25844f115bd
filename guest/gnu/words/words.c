/*
 * words.c: the words that wordexp() makes, one after the other.
 */
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <wordexp.h>

#include "words.h"

int __words_begin(struct word *word)
{
    memset(word, 0, sizeof *word);
    word->plain = open_memstream(&word->plain_text, &word->plain_size);
    word->pattern = open_memstream(&word->pattern_text, &word->pattern_size);
    return word->plain && word->pattern ? 0 : WRDE_NOSPACE;
}

void __words_drop(struct word *word)
{
    if (word->plain != NULL)
        fclose(word->plain);
    if (word->pattern != NULL)
        fclose(word->pattern);
    free(word->plain_text);
    free(word->pattern_text);
    memset(word, 0, sizeof *word);
}

void __words_put(struct word *word, char letter, bool quoted)
{
    word->begun = true;
    word->is_pattern |= !quoted && strchr("*?[", letter) != NULL;
    fputc(letter, word->plain);
    if (quoted)
        fputc('\\', word->pattern);
    fputc(letter, word->pattern);
}

static int keep(struct made *made, const char *text)
{
    char **more = realloc(made->words, (made->count + 1) * sizeof *more);
    char *copy = strdup(text);

    if (more != NULL)
        made->words = more;
    if (more == NULL || copy == NULL) {
        free(copy);
        return WRDE_NOSPACE;
    }
    more[made->count++] = copy;
    return 0;
}

int __words_end(struct made *made)
{
    struct word *word = &made->word;
    glob_t names;
    int error = 0;

    if (!word->begun)
        return 0;
    fflush(word->plain);
    fflush(word->pattern);
    if (word->is_pattern && glob(word->pattern_text, 0, NULL, &names) == 0) {
        for (size_t i = 0; error == 0 && i < names.gl_pathc; i++)
            error = keep(made, names.gl_pathv[i]);
        globfree(&names);
    } else {
        error = keep(made, word->plain_text);
    }
    __words_drop(word);
    return error ? error : __words_begin(word);
}
