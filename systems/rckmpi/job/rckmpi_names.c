/*
 * rckmpi_names.c: published names of ports, on the board.
 */
#include "rckmpi_board.h"

#include <string.h>

static struct name *find(struct board *board, const char *service)
{
    for (int n = 0; n < MOST_NAMES; n++)
        if (strcmp(board->names[n].service, service) == 0)
            return &board->names[n];
    return NULL;
}

int rckmpi_publish(const char *service, const char *port)
{
    int done = 0;

    if (!*service || strlen(service) >= NAME_BYTES ||
        strlen(port) >= NAME_BYTES)
        return 0;
    struct board *board = rckmpi_board();
    struct name *name = find(board, service) ? NULL : find(board, "");
    if (name) {
        strcpy(name->service, service);
        strcpy(name->port, port);
        done = 1;
    }
    rckmpi_board_leave();
    return done;
}

int rckmpi_unpublish(const char *service)
{
    struct name *name = *service ? find(rckmpi_board(), service) : NULL;

    if (name)
        name->service[0] = 0;
    if (*service)
        rckmpi_board_leave();
    return name != NULL;
}

int rckmpi_find_name(const char *service, char *port)
{
    struct name *name = *service ? find(rckmpi_board(), service) : NULL;

    if (name)
        strcpy(port, name->port);
    if (*service)
        rckmpi_board_leave();
    return name != NULL;
}
