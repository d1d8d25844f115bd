/* layout.c: the lines `TILE SOURCE TARGET COMMAND WORD ...` of a layout. */
#include "tile.h"

#include <stdlib.h>
#include <string.h>

FILE *lino_layout_of_text(char *text)
{
    for (char *comma = text; (comma = strchr(comma, ','));)
        *comma = '\n';
    return fmemopen(text, strlen(text), "r");
}

/* @N: a tile; -: nothing; else a file of the shared folder. */
static bool read_end(const char *word, int tiles, struct end *end)
{
    char *rest;

    *end = (struct end){.tile = NO_TILE};
    if (word[0] != '@') {
        if (strcmp(word, "-") != 0)
            snprintf(end->file, sizeof end->file, "/%s", word);
        return true;
    }
    end->tile = (int)strtol(word + 1, &rest, 10);
    return !*rest && rest > word + 1 && end->tile >= 0 && end->tile < tiles;
}

static bool read_line(char *line, int tiles, int *tile, struct work *work)
{
    char *words[3], *rest;

    for (int i = 0; i < 3; i++)
        if (!(words[i] = strtok(i ? NULL : line, " \n")))
            return false;
    *tile = (int)strtol(words[0], &rest, 10);
    if (*rest || *tile < 0 || *tile >= tiles)
        return false;
    if (!read_end(words[1], tiles, &work->source) ||
        !read_end(words[2], tiles, &work->target))
        return false;
    for (work->argc = 0; work->argc < MOST_WORDS; work->argc++)
        if (!(work->argv[work->argc] = strtok(NULL, " \n")))
            break;
    return work->argc > 0 && work->argc < MOST_WORDS;
}

int lino_layout_read(FILE *from, int tile, int tiles, struct work *work)
{
    int count = 0, lines = 0;
    struct work one;

    while (fgets(one.line, sizeof one.line, from)) {
        int of_tile;

        lines++;
        work[count] = one;
        if (!read_line(work[count].line, tiles, &of_tile, &work[count])) {
            if (tile == 0)
                fprintf(stderr,
                        "lino: layout, line %d: no command of %d "
                        "tiles: TILE SOURCE TARGET COMMAND WORD ...\n",
                        lines, tiles);
            return -1;
        }
        count += of_tile == tile;
        if (count > MOST_COMMANDS) {
            fprintf(stderr, "lino: layout, line %d: tile %d has over %d\n",
                    lines, tile, MOST_COMMANDS);
            return -1;
        }
    }
    if (!lines && tile == 0)
        fprintf(stderr, "lino: there is no command in the layout\n");
    return lines ? count : -1;
}
