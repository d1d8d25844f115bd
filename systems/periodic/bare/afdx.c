/*
 * afdx.c: virtual links between cores, each with its size and the shortest
 * gap between two messages; the receiver measures the way.
 *
 * messages=N clock=R: N gaps of the slowest link, R round trips for the
 * clock. The table's name is the macro TABLE. A message stands in the
 * receiver's MPB between two lines with its number, so that one that is
 * overwritten while it is read is noticed and counted as lost.
 */
#include "periodic.h"

#include TABLE

struct flow {
    uint32_t from, to, bytes, gap_us;
};

static const struct flow flows[] = {FLOWS};

#define COUNT (sizeof flows / sizeof *flows)

struct state {
    uint32_t place, next, number, seen, lost;
    uint32_t count, shortest, longest, sum;
};

static struct state states[COUNT];

static uint32_t lines_of(const struct flow *flow)
{
    return (flow->bytes + LINE - 1) / LINE;
}

static void place_all(uint32_t start)
{
    static uint32_t used[CORES];

    for (uint32_t i = 0; i < COUNT; i++) {
        uint32_t *room = &used[flows[i].to];

        states[i].place = buffer_of(flows[i].to, FREE_LINES + LINE + *room);
        *room += (lines_of(&flows[i]) + 2) * LINE;
        states[i].next = start;
        states[i].shortest = ~0u;
    }
}

static void send_one(const struct flow *flow, struct state *it)
{
    uint32_t head[LINE / 4] = {++it->number, global_time()};
    uint32_t lines = lines_of(flow);

    put_line(it->place, head);
    for (uint32_t i = 1; i <= lines; i++)
        put_line(it->place + i * LINE, head);
    put_line(it->place + (lines + 1) * LINE, head);
}

static void receive_one(const struct flow *flow, struct state *it)
{
    uint32_t head[LINE / 4], line[LINE / 4], way;
    uint32_t lines = lines_of(flow);

    get_line(it->place + (lines + 1) * LINE, head);
    if (head[0] == it->seen)
        return;
    for (uint32_t i = 1; i <= lines; i++) {
        get_line(it->place + i * LINE, line);
        if (line[0] != head[0])
            return; /* the next one is coming already */
    }
    way = global_time() - head[1];
    it->lost += head[0] - it->seen - 1;
    it->seen = head[0];
    it->count++;
    it->sum += way / 16;
    if (way < it->shortest)
        it->shortest = way;
    if (way > it->longest)
        it->longest = way;
}

static void turn(uint32_t now)
{
    for (uint32_t i = 0; i < COUNT; i++) {
        if (flows[i].to == me)
            receive_one(&flows[i], &states[i]);
        if (flows[i].from == me && (int32_t)(now - states[i].next) >= 0) {
            send_one(&flows[i], &states[i]);
            states[i].next += flows[i].gap_us * MHZ;
        }
    }
}

int main(uint32_t magic, const uint32_t *info)
{
    uint32_t start, end, slowest = 0;

    (void)magic;
    begin(info);
    compare_clocks(words[1] ? words[1] : 1);
    start = common_start();
    place_all(start);
    for (uint32_t i = 0; i < COUNT; i++)
        if (flows[i].gap_us > slowest)
            slowest = flows[i].gap_us;
    end = start + words[0] * slowest * MHZ;
    wait_until(start);
    for (uint32_t now = start; (int32_t)(now - end) < 0; now = global_time())
        turn(now);
    for (uint32_t i = 0; i < COUNT; i++)
        if (flows[i].to == me) {
            const struct state *it = &states[i];
            uint32_t list[] = {flows[i].from, me,      it->count,  it->lost,
                               it->shortest,  it->sum, it->longest};

            say("flow");
            say_list(list, 7);
        }
    return 0;
}
