/*
 * rckmpi_wait.c: waiting by interrupt instead of polling (RCKMPI_WAIT).
 *
 * A rank that has found nothing for some rounds says in a word of its MPB that
 * it sleeps, looks once more, and sleeps in the kernel until its pin is set.
 * Who has written to a rank looks at that word, and sets the pin of one that
 * sleeps. Words and pins are reached uncached, and so in the order of the
 * program: a message is in the MPB before its sender looks at the word, and
 * the word before its rank looks for the last time. One sees the other.
 */
#include "SCC_API.h"
#include "../rckmpi_private.h"
#include "scc/map.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Rounds without news before a rank sleeps: a sleep costs the kernel's way. */
#define PATIENCE 8

static int interrupts = -1; /* /dev/rckirq; -1: this rank polls */
static volatile int *asleep[RCKMPI_MOST_RANKS], *pins[RCKMPI_MOST_RANKS];
static int others_pins[RCKMPI_MOST_RANKS];
static unsigned quiet; /* rounds without news */
static int stirred;

void rckmpi_wait_open(void)
{
    const char *way = getenv("RCKMPI_WAIT");

    if (!way || !*way || strcmp(way, "poll") == 0)
        return;
    if (strcmp(way, "interrupts") != 0)
        rckmpi_refuse("RCKMPI_WAIT is not a way to wait",
                      "it is poll or interrupts");
    interrupts = scc_open_pin(O_RDONLY);
    if (interrupts < 0)
        rckmpi_refuse("the kernel does not pass on interrupts",
                      "this needs /dev/rckirq");
    rckmpi_wait_map(rckmpi_my_core);
}

void rckmpi_wait_map(int core)
{
    int x = X_PID(core), y = Y_PID(core), z = Z_PID(core);

    if (interrupts < 0 || asleep[core])
        return;
    pins[core] = MallocConfigReg(CRB_ADDR(x, y) + (z ? GLCFG1 : GLCFG0));
    others_pins[core] = *pins[core] & ~(1 << GLCFG_XINTR_BIT);
    asleep[core] = MallocConfigReg(MPB_ADDR(x, y, z) + CONTROL_OFFSET +
                                   4 * CONTROL_ASLEEP);
}

void rckmpi_rouse(int core)
{
    if (interrupts >= 0 && asleep[core] && *asleep[core])
        *pins[core] = others_pins[core] | 1 << GLCFG_XINTR_BIT;
}

void rckmpi_stir(void)
{
    stirred = 1;
}

void rckmpi_rest(void)
{
    uint32_t count;

    if (interrupts < 0)
        return;
    if (stirred) {
        if (quiet >= PATIENCE)
            *asleep[rckmpi_my_core] = 0;
        stirred = 0;
        quiet = 0;
    } else if (++quiet == PATIENCE) {
        *asleep[rckmpi_my_core] = 1;
    } else if (quiet > PATIENCE) {
        while (read(interrupts, &count, sizeof count) != sizeof count)
            ;
        *asleep[rckmpi_my_core] = 0;
        quiet = 0;
        scc_cl1invmb();
        rckmpi_end_if_told();
    }
}
