/*
 * migration.cpp: one instance, whose core runs all methods.
 *
 * A core that applied methods lets a writer in only when the instance's core
 * has run them: it asks there, behind them in the same channel.
 */
#include "mesh_private.h"

namespace mesh
{
namespace detail
{
namespace
{
class MigrationController : public Controller
{
  public:
    explicit MigrationController(const Birth &birth)
        : Controller(birth), center(birth.place)
    {
    }
    int place() const override
    {
        return center;
    }
    void check_here() const override
    {
        if (center != my_rank)
            refuse("its instance is on another core",
                   "call, invoke or apply a method, or migrate it");
    }
    void note_apply() override
    {
        applied = true;
    }
    void migrate(int core) override;
    /* On every core. */
    void moved(int core)
    {
        center = core;
    }
    void forget() override
    {
        if (center == my_rank)
            write_back(replica(offset()), birth.bytes);
    }

  protected:
    void begin(Mode) override
    {
    }
    void end_writing() override;
    void written(int) override
    {
    }
    void settle(Later later) override;

  private:
    int center;
    bool applied = false; /* methods that nobody has waited for */
};

MigrationController &migration_of(uint32_t id)
{
    return static_cast<MigrationController &>(controller_of(id));
}

void MigrationController::end_writing()
{
    if (applied)
        ask(center, [] {});
    applied = false;
}

void MigrationController::settle(Later later)
{
    if (!applied) {
        later.done();
        return;
    }
    applied = false;
    tell(center,
         [later, back = my_rank] { tell(back, [later] { later.done(); }); });
}

void MigrationController::migrate(int core)
{
    enter(Mode::WRITE);
    ask(center, [id = id()] { migration_of(id).forget(); });
    if (domain_of(core) != domain_of(center))
        ask(core, [from = domain_of(center), offset = offset(),
                   bytes = birth.bytes] { copy_replica(offset, bytes, from); });
    step_all([id = id(), core] { migration_of(id).moved(core); });
    leave(Mode::WRITE);
}
} // namespace

Controller *new_migration_controller(const Birth &birth)
{
    return new MigrationController(birth);
}
} // namespace detail
} // namespace mesh
