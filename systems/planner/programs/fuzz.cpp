/* Changed texts for the reader and the grounder, on the host: each is a task or
 * is refused in words; nothing else may happen.
 *
 *     fuzz DOMAIN PROBLEM SEED COUNT
 */
#include <cstdio>
#include <cstdlib>

#include "ground/tables.h"
#include "pddl/text.h"
#include "state/state.h"

using namespace planner;

static Key seed;

static uint32_t draw(size_t below)
{
    seed = mixed(seed);
    return (uint32_t)(seed % below);
}

static const char *const WORDS[] = {"(",
                                    ")",
                                    "((",
                                    "))",
                                    " - ",
                                    "(not ",
                                    "(and ",
                                    "either",
                                    "?x",
                                    "=",
                                    "(= ",
                                    ":types",
                                    "object",
                                    "(either ",
                                    ":constants",
                                    "define",
                                    "number",
                                    "(total-cost)",
                                    "\0",
                                    "\xff",
                                    ";",
                                    "\n",
                                    "99999999999999",
                                    ":goal",
                                    "(when ",
                                    ":metric",
                                    "minimize"};
constexpr size_t WORD_COUNT = sizeof WORDS / sizeof *WORDS;

/* One change: bytes go, are doubled, moved, or replaced by a word of PDDL. */
static void change(std::string &text)
{
    if (text.empty())
        return;
    size_t at = draw(text.size()), count = 1 + draw(12);
    std::string part = text.substr(at, count);

    switch (draw(5)) {
    case 0:
        text.erase(at, count);
        break;
    case 1:
        text.insert(at, part);
        break;
    case 2:
        text.insert(draw(text.size()), part);
        break;
    case 3:
        text.insert(at, WORDS[draw(WORD_COUNT)]);
        break;
    default:
        text[at] = (char)draw(256);
        break;
    }
}

static bool is_task(const std::string &domain, const std::string &problem)
{
    try {
        Tables tables = ground(read_task("d", domain, "p", problem));
        States states(tables);

        return states.is_goal(states.start().data()) || tables.facts > 0;
    } catch (const BadInput &error) {
        if (!*error.what() || error.hint.empty())
            std::abort();
        return false;
    }
}

int main(int argc, char **argv)
{
    if (argc != 5)
        return 64;
    std::string domain = read_file(argv[1], argv[1]);
    std::string problem = read_file(argv[2], argv[2]);
    unsigned long count = std::strtoul(argv[4], nullptr, 10), tasks = 0;

    for (unsigned long n = 0; n < count; n++) {
        std::string texts[] = {domain, problem};

        seed = mixed(std::strtoul(argv[3], nullptr, 10) + n);
        for (uint32_t changes = 1 + draw(4); changes > 0; changes--)
            change(texts[draw(2)]);
        tasks += is_task(texts[0], texts[1]);
    }
    std::printf("%lu texts, %lu tasks\n", count, tasks);
    return 0;
}
