/*
 * concordance.c: where each phrase of up to N words stands in a text.
 *
 *     concordance FILE N MASK VALUE
 *
 * Prints `phrase (count): position ...` for each phrase whose hash, masked,
 * is VALUE; phrases that stand there once are left out. MASK 0: all phrases.
 * The parts of several tiles together are the whole. The text is read, cut
 * into words (numbered by a hash table), then each place of the text is put
 * into the chain of its phrase: one table for all lengths. The last line has
 * sizes and times: on stdout if the phrases go to a file, else on stderr.
 */
#include "RCCE.h"
#include "lino.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORD_BUCKETS = 1 << 14, PHRASE_BUCKETS = 1 << 17 };

struct word {
    const char *text;
    int next;
};

struct phrase {
    int first, last, count, length, next;
};

static struct word *words;
static int *tokens, token_count, word_count;
static int word_bucket[WORD_BUCKETS], phrase_bucket[PHRASE_BUCKETS];
static struct phrase *phrases;
static int phrase_count;
static int *next_place; /* of a phrase; one row for each length */
static double seconds[3];

static void *room(size_t count, size_t size)
{
    void *block = calloc(count ? count : 1, size);

    if (!block) {
        fprintf(stderr, "concordance: no memory\n");
        exit(1);
    }
    return block;
}

static unsigned hash_of(const char *text)
{
    unsigned hash = 2166136261u;

    while (*text)
        hash = (hash ^ (unsigned char)*text++) * 16777619u;
    return hash;
}

static int number_of(const char *text)
{
    unsigned bucket = hash_of(text) % WORD_BUCKETS;

    for (int at = word_bucket[bucket]; at; at = words[at].next)
        if (strcmp(words[at].text, text) == 0)
            return at;
    words[++word_count] = (struct word){text, word_bucket[bucket]};
    return word_bucket[bucket] = word_count;
}

static char *read_text(const char *name, size_t *size)
{
    FILE *file = fopen(name, "r");
    char *text;

    if (!file || fseek(file, 0, SEEK_END)) {
        fprintf(stderr,
                "concordance: %s: %s (files are of the shared folder: "
                "rck run --share FOLDER)\n",
                name, strerror(errno));
        return NULL;
    }
    *size = (size_t)ftell(file);
    rewind(file);
    text = room(*size + 1, 1);
    if (fread(text, 1, *size, file) != *size) {
        perror(name);
        return NULL;
    }
    fclose(file);
    return text;
}

/* Words are letters, digits and apostrophes, in lower case. */
static void cut(char *text, size_t size)
{
    size_t at = 0;

    words = room(size / 2 + 2, sizeof *words);
    tokens = room(size / 2 + 2, sizeof *tokens);
    while (at < size) {
        size_t begin = at;

        while (isalnum((unsigned char)text[at]) || text[at] == '\'') {
            text[at] = (char)tolower((unsigned char)text[at]);
            at++;
        }
        if (at > begin) {
            text[at] = 0;
            tokens[token_count++] = number_of(text + begin);
        }
        at++;
    }
}

static void enter(int place, int length, unsigned hash)
{
    int *bucket = &phrase_bucket[hash % PHRASE_BUCKETS];
    int *next = next_place + (length - 1) * token_count;
    struct phrase *it;

    next[place] = -1;
    for (int at = *bucket; at; at = it->next) {
        it = &phrases[at];
        if (it->length == length &&
            memcmp(tokens + it->first, tokens + place,
                   (size_t)length * sizeof *tokens) == 0) {
            next[it->last] = place;
            it->last = place;
            it->count++;
            return;
        }
    }
    phrases[++phrase_count] = (struct phrase){place, place, 1, length, *bucket};
    *bucket = phrase_count;
}

static void collect(int longest, unsigned mask, unsigned value)
{
    phrases = room((size_t)longest * (size_t)token_count + 1, sizeof *phrases);
    next_place = room((size_t)longest * (size_t)token_count, sizeof(int));
    for (int place = 0; place < token_count; place++) {
        unsigned hash = 2166136261u;

        for (int i = 0; i < longest && place + i < token_count; i++) {
            hash = (hash ^ (unsigned)tokens[place + i]) * 16777619u;
            hash ^= hash >> 15;
            if (((hash >> 8) & mask) == value)
                enter(place, i + 1, hash);
        }
    }
}

static size_t print(void)
{
    static char line[1 << 16];
    size_t total = 0;

    for (int at = 1; at <= phrase_count; at++) {
        const struct phrase *it = &phrases[at];
        const int *next = next_place + (it->length - 1) * token_count;
        size_t end = 0;

        if (it->count < 2)
            continue;
        for (int i = 0; i < it->length; i++)
            end += (size_t)snprintf(line + end, sizeof line - end, "%s%s",
                                    i ? " " : "",
                                    words[tokens[it->first + i]].text);
        end += (size_t)snprintf(line + end, sizeof line - end,
                                " (%d):", it->count);
        for (int place = it->first; place >= 0; place = next[place]) {
            if (end > sizeof line - 32) {
                lino_write(line, end);
                total += end;
                end = 0;
            }
            end +=
                (size_t)snprintf(line + end, sizeof line - end, " %d", place);
        }
        line[end++] = '\n';
        lino_write(line, end);
        total += end;
    }
    return total;
}

static int concordance(int argc, char **argv)
{
    size_t size = 0, printed;
    long longest, mask, value;
    double start = RCCE_wtime();
    char *text;

    if (argc != 5) {
        fprintf(stderr, "concordance FILE N MASK VALUE\n");
        return 2;
    }
    if (!lino_number("concordance", "N", argv[2], 1, 16, &longest) ||
        !lino_number("concordance", "MASK", argv[3], 0, 65535, &mask) ||
        !lino_number("concordance", "VALUE", argv[4], 0, mask, &value))
        return 2;
    if (value & ~mask) {
        fprintf(stderr,
                "concordance: VALUE %ld has bits that MASK %ld has "
                "not\n",
                value, mask);
        return 2;
    }
    text = read_text(argv[1], &size);
    if (!text)
        return 1;
    seconds[0] = RCCE_wtime() - start;
    cut(text, size);
    collect((int)longest, (unsigned)mask, (unsigned)value);
    seconds[1] = RCCE_wtime() - start - seconds[0];
    printed = print();
    seconds[2] = RCCE_wtime() - start - seconds[0] - seconds[1];
    fprintf(lino_writes_file() ? stdout : stderr,
            "concordance %ld/%ld: of %zu bytes %d words, %d phrases, %zu "
            "bytes; read %.6f compute %.6f print %.6f s\n",
            value, mask, size, token_count, phrase_count, printed, seconds[0],
            seconds[1], seconds[2]);
    return 0;
}

int RCCE_APP(int argc, char **argv)
{
    static const struct lino_command commands[] = {{"concordance", concordance},
                                                   {0, 0}};

    return lino_main(argc, argv, commands);
}
