/*
 * executive.c: runs a table of jobs, on each core its own, over and over.
 *
 * rounds=N clock=R overrun=TASK: N times the table, R round trips for the
 * clock; the TASKth of the set takes twice its time in the second half of the
 * last round (0: nobody). The table's name is the macro TABLE. A job starts at
 * its instant of the common time, reads the lines that are sent to its task,
 * works for three quarters of its worst-case time, writes lines and reads each
 * back, so that it knows that they are there. Nothing blocks. At its end each core prints what it found out.
 */
#include "periodic.h"

#include TABLE

struct task {
    const char *name;
    uint32_t core, wcet_us;
};
struct job {
    uint32_t task, start_us, due_us;
};
struct message {
    uint32_t from, to;
    const char *word;
};

static const struct task tasks[] = {TASKS};
static const struct job jobs[] = {JOBS};
static const struct message messages[] = {MESSAGES};

#define COUNT(table) (sizeof(table) / sizeof *(table))

struct counts {
    uint32_t jobs, missed, overrun, latest, received, lost, oldest, confirmed,
        damaged;
};

static struct counts counts[COUNT(tasks)];
static uint32_t numbers[COUNT(tasks)];     /* jobs of a task so far */
static uint32_t sent[COUNT(messages) + 1]; /* of a message */
static uint32_t received[COUNT(messages) + 1];

static uint32_t line_of(uint32_t message)
{
    return buffer_of(tasks[messages[message].to].core,
                     FREE_LINES + message * LINE);
}

static int names(const char *word, uint32_t number)
{
    uint32_t length = 0;

    while (word[length])
        length++;
    return word[number % length] == '1';
}

static void read_lines(uint32_t task)
{
    for (uint32_t i = 0; i < COUNT(messages); i++) {
        uint32_t line[LINE / 4], age;

        if (messages[i].to != task)
            continue;
        get_line(line_of(i), line);
        if (line[0] == received[i])
            continue;
        counts[task].received++;
        counts[task].lost += line[0] - received[i] - 1;
        received[i] = line[0];
        age = global_time() - line[1];
        if (age > counts[task].oldest)
            counts[task].oldest = age;
    }
}

static void confirm(uint32_t task, uint32_t message, const uint32_t *line)
{
    uint32_t back[LINE / 4], begun = time_stamp(), took;

    put_line(line_of(message), line);
    get_line(line_of(message), back);
    took = time_stamp() - begun;
    if (sent[message] && took > counts[task].confirmed)
        counts[task].confirmed = took;
    counts[task].damaged += back[0] != line[0] || back[1] != line[1];
}

/* `more` 0: what is there already; so the caches are filled before the start. */
static void write_lines(uint32_t task, uint32_t more)
{
    for (uint32_t i = 0; i < COUNT(messages); i++)
        if (messages[i].from == task &&
            names(messages[i].word, numbers[task])) {
            uint32_t line[LINE / 4] = {sent[i] += more, global_time()};

            confirm(task, i, line);
        }
}

static void run(const struct job *job, uint32_t epoch, int too_long)
{
    struct counts *it = &counts[job->task];
    uint32_t wcet = tasks[job->task].wcet_us * MHZ;
    uint32_t planned = epoch + job->start_us * MHZ, begun, end;

    wait_until(planned);
    begun = global_time();
    if (begun - planned > it->latest)
        it->latest = begun - planned;
    read_lines(job->task);
    while (global_time() - begun < (too_long ? 2 * wcet : wcet / 4 * 3))
        ;
    write_lines(job->task, 1);
    end = global_time();
    it->jobs++;
    it->overrun += end - begun > wcet;
    it->missed += (int32_t)(end - (epoch + job->due_us * MHZ)) > 0;
    numbers[job->task]++;
}

static void report(uint32_t trip)
{
    if (me) {
        uint32_t clock[] = {me, offset_cycles, trip};

        say("clock");
        say_list(clock, 3);
    }
    for (uint32_t i = 0; i < COUNT(tasks); i++) {
        const struct counts *it = &counts[i];
        uint32_t list[] = {it->jobs,   it->missed,   it->overrun,
                           it->latest, it->received, it->lost + it->damaged,
                           it->oldest, it->confirmed};

        if (tasks[i].core != me)
            continue;
        say("task ");
        say(tasks[i].name);
        say_list(list, 8);
        if (it->overrun) {
            say("overrun ");
            say(tasks[i].name);
            say("\n");
        }
    }
}

int main(uint32_t magic, const uint32_t *info)
{
    uint32_t trip, epoch;

    (void)magic;
    begin(info);
    trip = compare_clocks(words[1] ? words[1] : 1);
    for (uint32_t i = 0; i < COUNT(tasks); i++)
        if (tasks[i].core == me) {
            read_lines(i);
            write_lines(i, 0);
        }
    epoch = common_start();
    for (uint32_t round = 0; round < words[0]; round++) {
        int last = round + 1 == words[0];

        for (uint32_t i = 0; i < COUNT(jobs); i++)
            if (tasks[jobs[i].task].core == me)
                run(&jobs[i], epoch,
                    last && words[2] == jobs[i].task + 1 &&
                        jobs[i].start_us * 2 >= HYPERPERIOD_US);
        epoch += HYPERPERIOD_US * MHZ;
    }
    report(trip);
    return 0;
}
