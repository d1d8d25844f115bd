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

/* The start word: 1 and the program's place, the job's number above. */
#define PROGRAM_BITS 8

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

static mpb_word *start_word(int core)
{
    return (mpb_word *)(rckmpi_mpb[core] + CONTROL_OFFSET) + CONTROL_START;
}

int rckmpi_started(void)
{
    if (!getenv("RCKMPI_UNIVERSE") || !rckmpi_map(rckmpi_my_core))
        return 0;
    return (int)(*start_word(rckmpi_my_core) >> PROGRAM_BITS);
}

struct order *rckmpi_order(struct board *board, int job)
{
    return &board->order[job - FIRST_STARTED];
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
    snprintf(port, bytes, "%s",
             rckmpi_order(rckmpi_board(), rckmpi_my_job)->port);
    rckmpi_board_leave();
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

static void release(int core, uint32_t word)
{
    int *gcbcfg = MallocConfigReg(CRB_ADDR(X_PID(core), Y_PID(core)) + GCBCFG);
    unsigned z = (unsigned)Z_PID(core);

    rckmpi_map(core);
    *start_word(core) = word;
    push_wcb();
    do
        scc_cl1invmb();
    while (*start_word(core) != word);
    *gcbcfg &= ~(int)((1u << SCC_CRB_GCBCFG_RESET_CORE_SHIFT |
                       1u << SCC_CRB_GCBCFG_RESET_L2_SHIFT)
                      << z);
    FreeConfigReg(gcbcfg);
}

static const char *fill(struct order *order, struct board *board,
                        const struct rckmpi_program *programs, int count)
{
    int wanted = 0;

    for (int n = 0; n < count; n++) {
        if (place_of(programs[n].command) < 0)
            return "the program was not loaded: name it by rck mpirun --with";
        for (int i = 0; i < programs[n].processes; i++)
            if (wanted < RCKMPI_MOST_RANKS)
                order->program[wanted++] = (uint32_t)n;
    }
    order->processes = (uint32_t)wanted;
    order->programs = (uint32_t)count;
    if (free_cores(board, order->core, wanted) < wanted)
        return "too few cores are free: rck mpirun --universe says how many "
               "there are";
    if (board->orders == MOST_ORDERS)
        return "no more jobs can be started";
    if (!put_arguments(order, programs, count))
        return "the programs' arguments are too long";
    return NULL;
}

int rckmpi_start(const struct rckmpi_program *programs, int count,
                 const char *port)
{
    static struct order order;
    struct board *board = rckmpi_board();
    const char *wrong = fill(&order, board, programs, count);

    snprintf(order.port, sizeof order.port, "%s", port);
    if (!wrong) {
        uint32_t job = FIRST_STARTED + board->orders;
        rckmpi_board_copy(&board->order[board->orders++], &order, sizeof order);
        for (uint32_t n = 0; n < order.processes; n++) {
            int place = place_of(programs[order.program[n]].command);
            board->used[order.core[n]] = 1;
            release((int)order.core[n],
                    job << PROGRAM_BITS | (uint32_t)(place + 1));
        }
    }
    rckmpi_board_leave();
    if (wrong)
        fprintf(stderr, "rckmpi: %s cannot be started: %s\n",
                programs[0].command, wrong);
    return !wrong;
}
