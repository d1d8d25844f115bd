/*
 * controller.cpp: the shared-exclusive lock of an object.
 */
#include "mesh_private.h"

#include <array>

#include "rck_mark.h"

namespace mesh
{
namespace detail
{
namespace
{
enum { NOTHING, SHARING, EXCLUDING }; /* in traces */

/* A track's name must be a constant of the program: "object 0017". */
constexpr unsigned TRACKS = 1024;
using Name = std::array<char, 12>;

constexpr std::array<Name, TRACKS> make_names()
{
    std::array<Name, TRACKS> names{};

    for (unsigned n = 0; n < TRACKS; n++) {
        names[n] = {"object 0000"};
        for (unsigned place = 10, rest = n; rest; rest /= 10)
            names[n][place--] = static_cast<char>('0' + rest % 10);
    }
    return names;
}

constexpr std::array<Name, TRACKS> names = make_names();
} // namespace

Controller::Controller(const Birth &birth) : birth(birth)
{
}

Controller &controller_of(uint32_t id)
{
    return *static_cast<Controller *>(find_member(id));
}

static Controller *still(uint32_t id)
{
    return static_cast<Controller *>(look_for_member(id));
}

void Controller::refuse(const char *what, const char *hint) const
{
    fail(hint, "object %u: %s", (unsigned)(id() & 0xFFFF), what);
}

void Controller::show(int value) const
{
    uint32_t number = id() & 0xFFFF;

    rck_mark_value(number < TRACKS ? names[number].data() : "more objects",
                   value);
}

void Controller::enter(Mode mode)
{
    if (holding)
        refuse("this core excludes all others from it already",
               "end the Writer before another access begins");
    if (mode == Mode::WRITE)
        exclude();
    else
        share();
    show(mode == Mode::WRITE ? EXCLUDING : SHARING);
    begin(mode);
}

void Controller::leave(Mode mode)
{
    if (mode == Mode::WRITE) {
        end_writing();
        holding = false;
        show(NOTHING);
        tell(birth.home, [id = id(), writer = my_rank] {
            controller_of(id).finished(writer);
        });
        return;
    }
    if (--sharing)
        return;
    show(NOTHING);
    if (asked) {
        asked = false;
        settle(answer);
    }
}

/* Who shares already need not wait for a writer that waits for it. */
void Controller::share()
{
    if (!sharing && locked) {
        if (handling())
            refuse(
                "a method that runs by a message would wait for its lock",
                "access shared objects in code that is no other core's call");
        uint32_t number = id();

        wait([number] {
            Controller *there = still(number);
            return !there || !there->locked;
        });
        controller_of(number); /* or reports that there is none */
    }
    sharing++;
}

void Controller::exclude()
{
    if (sharing)
        refuse("this core shares it and wants to exclude all others",
               "end Readers and MultipleWriters before a Writer begins");
    if (handling())
        refuse("a method that runs by a message would wait for its lock",
               "access shared objects in code that is no other core's call");
    admitted = false;
    tell(birth.home, [id = id(), writer = my_rank] {
        Controller *there = still(id);

        if (there)
            there->request(writer);
        else
            tell(writer, [id] { controller_of(id); });
    });
    wait([this] { return admitted; });
    holding = true;
}

void Controller::request(int writer)
{
    writers.push_back(writer);
    if (writers.size() == 1)
        admit_next();
}

static void admit(void *argument)
{
    auto *controller = static_cast<Controller *>(argument);

    controller->granted();
}

void Controller::admit_next()
{
    step_all([id = id(), writer = (int)writers.front()](
                 Later later) { controller_of(id).lock(writer, later); },
             {admit, this});
}

/* At the home: all cores have locked. */
void Controller::granted()
{
    tell(writers.front(), [id = id()] { controller_of(id).admitted = true; });
}

void Controller::lock(int, Later later)
{
    locked = true;
    if (sharing) {
        asked = true;
        answer = later;
    } else {
        settle(later);
    }
}

void Controller::finished(int writer)
{
    map_all([id = id(), writer] { controller_of(id).unlock(writer); });
    writers.pop_front();
    if (!writers.empty())
        admit_next();
}

void Controller::unlock(int writer)
{
    locked = false;
    written(writer);
}

/* On each core. Writers that wait at the home wait for nothing. */
void Controller::destroy()
{
    forget();
    for (size_t place = 1; place < writers.size(); place++)
        tell(writers[place], [id = id()] { controller_of(id); });
    delete this;
}

void Controller::migrate(int)
{
    refuse("only an object of a MigrationSpace can be moved",
           "a replica is fetched wherever it is read");
}

void release_shared(uint32_t id)
{
    controller_of(id).enter(Mode::WRITE);
    step_all([id] { static_cast<Controller *>(remove_member(id))->destroy(); });
    give_back(id);
}

void migrate_shared(uint32_t id, int core)
{
    check_rank(core);
    controller_of(id).migrate(core);
}
} // namespace detail
} // namespace mesh
