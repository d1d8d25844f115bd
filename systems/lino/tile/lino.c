/* lino.c: a tile: its commands one after the other, its relays beside them. */
#include "lino.h"
#include "RCCE.h"
#include "iRCCE.h"
#include "tile.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static FILE *file_in, *file_out;
static bool tile_in, tile_out;
static double slice;

void lino_pause(void)
{
    if (!lino_relay_quantum_over(slice))
        return;
    if (lino_relay_receiving())
        lino_relay_receive(false);
    if (lino_relay_sending())
        lino_relay_send();
    slice = lino_relay_now();
}

size_t lino_read(void *buffer, size_t most)
{
    if (!tile_in)
        return fread(buffer, 1, most, file_in ? file_in : stdin);
    while (!lino_relay_in.count && !lino_relay_in.closed) {
        lino_relay_receive(true);
        if (!lino_relay_in.count && lino_relay_sending())
            lino_relay_send();
        slice = lino_relay_now();
    }
    return lino_pipe_take(&lino_relay_in, buffer, most);
}

size_t lino_read_all(void *buffer, size_t bytes)
{
    size_t have = 0, more = 1;

    while (have < bytes && more) {
        more = lino_read((char *)buffer + have, bytes - have);
        have += more;
    }
    return have;
}

void lino_write(const void *buffer, size_t bytes)
{
    const char *from = buffer;

    if (!tile_out) {
        fwrite(from, 1, bytes, file_out ? file_out : stdout);
        return;
    }
    while (bytes) {
        size_t taken = lino_pipe_put(&lino_relay_out, from, bytes);

        from += taken;
        bytes -= taken;
        if (bytes) {
            lino_relay_send();
            if (lino_relay_receiving())
                lino_relay_receive(false);
            slice = lino_relay_now();
        }
    }
}

bool lino_writes_file(void)
{
    return file_out != NULL;
}

static int cat(int argc, char **argv)
{
    static char buffer[CHUNK];
    size_t count;

    (void)argc, (void)argv;
    while ((count = lino_read(buffer, sizeof buffer)))
        lino_write(buffer, count);
    return 0;
}

bool lino_number(const char *command, const char *argument, const char *word,
                 long least, long most, long *value)
{
    char *end = NULL;

    if (word)
        *value = strtol(word, &end, 10);
    if (word && end != word && !*end && *value >= least && *value <= most)
        return true;
    fprintf(stderr, "%s: '%s': %s is a number from %ld to %ld\n", command,
            word ? word : "", argument, least, most);
    return false;
}

static bool open_file(const struct end *end, const char *mode, FILE **file)
{
    *file = NULL;
    if (!end->file[0])
        return true;
    *file = fopen(end->file, mode);
    if (!*file)
        fprintf(stderr,
                "lino: tile %d: %s: %s (files are of the shared folder: "
                "rck run --share FOLDER)\n",
                RCCE_ue(), end->file, strerror(errno));
    return *file;
}

static int run(struct work *work, const struct lino_command *commands)
{
    const char *name = work->argv[0];
    int result;

    while (commands->name && strcmp(commands->name, name) != 0)
        commands++;
    if (!commands->name && strcmp(name, "cat") != 0) {
        fprintf(stderr, "lino: tile %d: there is no command '%s'\n", RCCE_ue(),
                name);
        return 127;
    }
    tile_in = work->source.tile != NO_TILE;
    tile_out = work->target.tile != NO_TILE;
    if (!open_file(&work->source, "r", &file_in) ||
        !open_file(&work->target, "w", &file_out))
        return 1;
    result = (commands->name ? commands->run : cat)(work->argc, work->argv);
    if (file_in)
        fclose(file_in);
    if (file_out)
        fclose(file_out);
    return result;
}

/* One input and one output tile for all commands of this tile. */
static void open_relays(struct work *work, int count)
{
    int source = NO_TILE, target = NO_TILE;

    for (int i = 0; i < count; i++) {
        if (work[i].source.tile != NO_TILE)
            source = work[i].source.tile;
        if (work[i].target.tile != NO_TILE)
            target = work[i].target.tile;
    }
    lino_relay_open(source, target);
}

/* What was written leaves, what comes still is taken, until both streams end. */
static void drain(void)
{
    char buffer[256];

    lino_relay_out.closed = true;
    while (lino_relay_sending() || lino_relay_receiving()) {
        lino_relay_send();
        if (lino_relay_receiving())
            lino_relay_receive(true);
        while (lino_pipe_take(&lino_relay_in, buffer, sizeof buffer))
            continue;
    }
}

int lino_main(int argc, char **argv, const struct lino_command *commands)
{
    static struct work work[MOST_COMMANDS + 1];
    const char *file = "/layout";
    long quantum = 1000;
    FILE *layout;
    int at = 1, result = 0;

    RCCE_init(&argc, &argv);
    iRCCE_init();
    for (; at + 1 < argc && argv[at][0] == '-'; at += 2)
        if (argv[at][1] == 'q')
            quantum = atol(argv[at + 1]);
        else
            file = argv[at + 1];
    lino_relay_set_quantum(quantum);
    layout = at < argc ? lino_layout_of_text(argv[at]) : fopen(file, "r");
    if (!layout || quantum < 1) {
        if (RCCE_ue() == 0)
            fprintf(stderr,
                    "usage: %s [-q MICROSECONDS] [-f FILE | LAYOUT]; "
                    "no layout in %s\n",
                    argv[0], file);
        return 2;
    }
    int count = lino_layout_read(layout, RCCE_ue(), RCCE_num_ues(), work);
    fclose(layout);
    if (count < 0)
        return 2;
    open_relays(work, count);
    RCCE_barrier(&RCCE_COMM_WORLD);
    for (int i = 0; i < count; i++)
        result |= run(&work[i], commands);
    drain();
    RCCE_finalize();
    return result;
}
