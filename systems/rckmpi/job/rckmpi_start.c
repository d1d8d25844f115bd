/*
 * rckmpi_start.c: processes that others start. The launcher has loaded kernel
 * and programs for the cores of RCKMPI_UNIVERSE that no job has, and left them
 * in reset. Who starts them writes an order on the board, the number of the
 * program and of the order into the control line of the core's MPB (its kernel
 * reads the one, the process the other), and takes the core out of reset.
 */
#include "rckmpi_board.h"
#include "SCC_API.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Milliseconds in which no process ends. */
#define PATIENCE 200

static int universe(int *cores)
{
    const char *text = getenv("RCKMPI_UNIVERSE");

    return text ? rckmpi_spans(text, cores, RCKMPI_MOST_RANKS) : 0;
}

int rckmpi_universe_size(void)
{
    int cores[RCKMPI_MOST_RANKS], size = universe(cores);

    return size > rckmpi_ranks ? size : rckmpi_ranks;
}

int rckmpi_listen(void)
{
    int cores[RCKMPI_MOST_RANKS], size = universe(cores);

    for (int n = 0; n < size; n++)
        if (!rckmpi_connect(cores[n])) {
            fprintf(stderr,
                    "rckmpi: the channel '%s' has sections for the ranks of "
                    "its own job only\nhint: improved and bells connect jobs "
                    "and start processes\n",
                    rckmpi_channel());
            return 0;
        }
    return 1;
}

int rckmpi_started(void)
{
    if (!getenv("RCKMPI_UNIVERSE") || !rckmpi_map(rckmpi_my_core))
        return 0;
    return (int)(rckmpi_control(rckmpi_my_core)[CONTROL_START] >> PROGRAM_BITS);
}

struct order *rckmpi_order(struct board *board, int job)
{
    return &board->order[(job - FIRST_STARTED) % MOST_ORDERS];
}

int rckmpi_order_cores(int job, int *cores)
{
    struct order *order = rckmpi_order(rckmpi_board(), job);
    int processes = (int)order->processes;

    rckmpi_board_copy(cores, order->core, sizeof *cores * (size_t)processes);
    rckmpi_board_leave();
    return processes;
}

int rckmpi_parent_port(char *port, size_t bytes)
{
    if (rckmpi_my_job < FIRST_STARTED)
        return 0;
    struct order *order = rckmpi_order(rckmpi_board(), rckmpi_my_job);
    int starter = (int)order->starter;

    snprintf(port, bytes, "%s", order->port);
    rckmpi_board_leave();
    rckmpi_map(starter);
    rckmpi_bind(starter, 1);
    return 1;
}

int rckmpi_program_number(void)
{
    if (rckmpi_my_job < FIRST_STARTED)
        return rckmpi_my_job;
    struct order *order = rckmpi_order(rckmpi_board(), rckmpi_my_job);
    int number = (int)order->program[rckmpi_my_rank];
    rckmpi_board_leave();
    return number;
}

/* The place of a program among those that the launcher has loaded: its name
 * without folders counts. */
static int place_of(const char *command)
{
    const char *known = getenv("RCKMPI_PROGRAMS");
    const char *name =
        strrchr(command, '/') ? strrchr(command, '/') + 1 : command;
    size_t length = strlen(name);

    for (int place = 0; known && *known; place++) {
        if (strncmp(known, name, length) == 0 &&
            (known[length] == ',' || !known[length]))
            return place;
        known = strchr(known, ',') ? strchr(known, ',') + 1 : NULL;
    }
    return -1;
}

/* Cores of the universe that nobody has used; how many, at most `wanted`. */
static int free_cores(struct board *board, uint32_t *found, int wanted)
{
    int cores[RCKMPI_MOST_RANKS], size = universe(cores), known = 0;
    const char *launched = getenv("RCKMPI_LAUNCHED");
    int first[RCKMPI_MOST_RANKS];
    int firsts =
        launched ? rckmpi_spans(launched, first, RCKMPI_MOST_RANKS) : 0;

    for (int n = 0; n < firsts; n++)
        board->used[first[n]] = 1;
    for (int n = 0; n < size && known < wanted; n++)
        if (!board->used[cores[n]])
            found[known++] = (uint32_t)cores[n];
    return known;
}

/* The words of all programs behind each other; 0 if they do not fit. */
static int put_arguments(struct order *order,
                         const struct rckmpi_program *programs, int count)
{
    size_t at = 0;

    for (int n = 0; n < count; n++) {
        const char *const none[] = {NULL};
        const char *folder = programs[n].folder ? programs[n].folder : "";
        if (at + strlen(folder) + 3 > sizeof order->words)
            return 0;
        strcpy(order->words + at, folder);
        at += strlen(folder) + 1;
        const char *const *word = programs[n].arguments;
        for (word = word ? word : none; *word; word++) {
            size_t bytes = strlen(*word) + 1;
            if (at + bytes + 2 > sizeof order->words)
                return 0;
            memcpy(order->words + at, *word, bytes);
            at += bytes;
        }
        order->words[at++] = PROGRAM_END;
    }
    order->words[at] = 0;
    return 1;
}

/* The core waits in a process that has ended; what ended that one is not
 * for the next. */
static void call(int core, uint32_t word)
{
    rckmpi_map(core);
    rckmpi_control(core)[CONTROL_END] = 0;
    rckmpi_control(core)[CONTROL_START] = word;
    push_wcb();
    rckmpi_wait_map(core);
    rckmpi_rouse(core);
}

/* The core has been in reset. */
static void release(int core, uint32_t word)
{
    int *gcbcfg = MallocConfigReg(CRB_ADDR(X_PID(core), Y_PID(core)) + GCBCFG);
    unsigned z = (unsigned)Z_PID(core);

    rckmpi_map(core);
    rckmpi_control(core)[CONTROL_START] = word;
    push_wcb();
    do
        scc_cl1invmb();
    while (rckmpi_control(core)[CONTROL_START] != word);
    *gcbcfg &= ~(int)((1u << SCC_CRB_GCBCFG_RESET_CORE_SHIFT |
                       1u << SCC_CRB_GCBCFG_RESET_L2_SHIFT)
                      << z);
    FreeConfigReg(gcbcfg);
}

static int next_job(const struct board *board)
{
    return FIRST_STARTED + (int)board->orders;
}

static int folder_is_there(const char *folder)
{
    struct stat status;

    return !folder || !*folder ||
           (stat(folder, &status) == 0 && S_ISDIR(status.st_mode));
}

static const char *fill(struct order *order, struct board *board,
                        const struct rckmpi_program *programs, int count)
{
    int wanted = 0;

    for (int n = 0; n < count; n++) {
        if (place_of(programs[n].command) < 0)
            return "the program was not loaded: name it by rck mpirun --with";
        if (!folder_is_there(programs[n].folder))
            return "its wdir is not a folder";
        for (int i = 0; i < programs[n].processes; i++)
            if (wanted < RCKMPI_MOST_RANKS)
                order->program[wanted++] = (uint32_t)n;
    }
    order->processes = order->left = (uint32_t)wanted;
    order->programs = (uint32_t)count;
    if (free_cores(board, order->core, wanted) < wanted)
        return "too few cores are free: rck mpirun --universe says how many "
               "there are";
    for (int n = 0; rckmpi_order(board, next_job(board))->left > 0; n++) {
        if (n == MOST_ORDERS)
            return "too many jobs that were started have not ended";
        board->orders++;
    }
    if (!put_arguments(order, programs, count))
        return "the programs' arguments are too long";
    return NULL;
}

/* Takes the board when cores enough are free. Processes that were started and
 * have parted from all others are near their end, as a rule: they are waited
 * for, a while. */
static struct board *board_with(int wanted)
{
    int cores[RCKMPI_MOST_RANKS], all = universe(cores);
    uint32_t ended = 0;

    for (int waited = 0;; waited++) {
        struct board *board = rckmpi_board();
        uint32_t found[RCKMPI_MOST_RANKS];

        if (board->ended != ended)
            waited = 0;
        ended = board->ended;
        if (free_cores(board, found, wanted) >= wanted || wanted >= all ||
            waited == PATIENCE)
            return board;
        rckmpi_board_leave();
        usleep(1000);
    }
}

int rckmpi_start(const struct rckmpi_program *programs, int count,
                 const char *port)
{
    static struct order order;
    int wanted = 0;

    for (int n = 0; n < count; n++)
        wanted += programs[n].processes;
    struct board *board =
        board_with(wanted < RCKMPI_MOST_RANKS ? wanted : RCKMPI_MOST_RANKS);
    const char *wrong = fill(&order, board, programs, count);

    order.starter = (uint32_t)rckmpi_my_core;
    snprintf(order.port, sizeof order.port, "%s", port);
    if (!wrong) {
        uint32_t job = (uint32_t)next_job(board);
        rckmpi_board_copy(rckmpi_order(board, (int)job), &order, sizeof order);
        board->orders++;
        board->begun += order.processes;
        for (uint32_t n = 0; n < order.processes; n++) {
            int place = place_of(programs[order.program[n]].command);
            int core = (int)order.core[n];
            board->used[core] = 1;
            rckmpi_bind(core, 1);
            (board->waits[core] ? call : release)(
                core, job << PROGRAM_BITS | (uint32_t)(place + 1));
            board->waits[core] = 0;
        }
    }
    rckmpi_board_leave();
    if (wrong)
        fprintf(stderr, "rckmpi: %s cannot be started: %s\n",
                programs[0].command, wrong);
    return !wrong;
}
