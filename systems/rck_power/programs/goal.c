/* goal.c: a goal by name, and what it cost. */
#include "goal.h"

#include <stdio.h>
#include <string.h>

#define REGION 1

static uint64_t domains_energy(void)
{
    uint64_t sum = 0, one;

    for (int domain = 0; domain < RCK_POWER_DOMAINS; domain++) {
        int used = 0;

        for (int ue = 0; ue < RCCE_num_ues(); ue++) {
            extern int RC_COREID[];
            int tile = RC_COREID[ue] / 2;

            used |= tile % 6 / 2 + 3 * (tile / 6 / 2) == domain;
        }
        if (used && !rck_power_domain_energy(domain, &one))
            sum += one;
    }
    return sum;
}

static int open_governor(struct goal *goal, const char *word)
{
    const char *value = strchr(word, ':');
    double number = value ? atof(value + 1) : 0;
    static const char *const names[] = {"energy", "edp", "deadline", "cap"};

    for (int n = 0; n < 4; n++)
        if (strncmp(word, names[n], strlen(names[n])) == 0) {
            goal->governed = 1;
            return rck_governor_open(&goal->governor, (enum rck_goal)n, number);
        }
    return RCCE_ERROR_VAL_UNDEFINED;
}

int goal_start(struct goal *goal, const char *word)
{
    int divider = atoi(word), error = rck_power_open();

    memset(goal, 0, sizeof *goal);
    if (!error && divider == 0)
        error = open_governor(goal, word);
    else if (!error && RCCE_ue() == RCCE_power_domain_master())
        error = rck_power_set(RCCE_power_domain(), divider);
    if (error) {
        fprintf(stderr, "%s: error %d of RCCE\n", word,
                error - RCCE_ERROR_BASE);
        return error;
    }
    /* The way to the first voltage is nobody's: it is over before we start. */
    int first = goal->governed ? goal->governor.divider : divider;
    while (goal->governor.goal != RCK_POWER_CAP &&
           RCCE_ue() == RCCE_power_domain_master() &&
           rck_power_millivolts(RCCE_power_domain()) > rck_power_needs(first))
        ;
    RCCE_barrier(&RCCE_COMM_WORLD);
    if (RCCE_ue() == 0)
        rck_power_begin(REGION);
    goal->time = rck_power_time();
    goal->energy = domains_energy();
    goal->chip = rck_power_chip_energy();
    return RCCE_SUCCESS;
}

void goal_tick(struct goal *goal, double done)
{
    if (goal->governed)
        rck_governor_tick(&goal->governor, done);
}

void goal_barrier(struct goal *goal)
{
    if (goal->governed)
        rck_governor_barrier(&goal->governor, &RCCE_COMM_WORLD);
    else
        RCCE_barrier(&RCCE_COMM_WORLD);
}

void goal_end(struct goal *goal, const char *word)
{
    RCCE_barrier(&RCCE_COMM_WORLD);
    if (RCCE_ue() == 0) {
        double seconds = (double)(rck_power_time() - goal->time) * 1e-12;
        double joules = (double)(domains_energy() - goal->energy) * 1e-15;
        double chip = (double)(rck_power_chip_energy() - goal->chip) * 1e-15;

        rck_power_end(REGION);
        printf("%s: %.4f ms, cores %.4f mJ, EDP %.5f mJ s, chip %.3f W, "
               "%u looks, %u changes\n",
               word, seconds * 1e3, joules * 1e3, joules * seconds * 1e3,
               chip / seconds, goal->governor.looks, goal->governor.changes);
    }
    if (goal->governed)
        rck_governor_close(&goal->governor);
}
