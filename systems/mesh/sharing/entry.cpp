/*
 * entry.cpp: entry consistency, a replica in each memory domain.
 *
 * Who modifies writes back at once when the access ends, so memory has the
 * object as soon as anybody learns of it, and all cores of the writer's domain
 * know that their replica is valid. A core of another domain asks the domain's
 * leader, which fetches the replica from the writer's domain, once for all. A
 * core that read the object before flushes the old lines when it reads again.
 */
#include "mesh_private.h"

namespace mesh
{
namespace detail
{
namespace
{
class EntryController : public Controller
{
  public:
    explicit EntryController(const Birth &birth)
        : Controller(birth), source(domain_of(birth.place)),
          valid(source == domain())
    {
    }
    int place() const override
    {
        return my_rank;
    }
    /* On the leader: the domain's replica becomes valid. The reader may have
     * heard of the last write before the leader does. */
    void fetch(uint32_t writes_known, int last_source);

  protected:
    void begin(Mode mode) override;
    void end_writing() override;
    void written(int writer) override;
    void forget() override;

  private:
    void learn(int last_source);
    void *object() const
    {
        return replica(offset());
    }

    uint32_t writes = 0; /* that this core knows of */
    bool ahead = false;  /* a reader has reported the last write */
    int source;          /* the domain of who wrote last */
    bool valid;          /* the replica, as far as this core knows */
    bool used = false;   /* since the last flush: its lines may be cached */
    bool old = false;    /* those lines are old */
};

EntryController &entry_of(uint32_t id)
{
    return static_cast<EntryController &>(controller_of(id));
}

void EntryController::fetch(uint32_t writes_known, int last_source)
{
    if (writes_known != writes) {
        learn(last_source);
        ahead = true;
    }
    if (valid)
        return;
    /* A store must not hit an old line in L1 and stay there. */
    forget();
    copy_replica(offset(), birth.bytes, source);
    valid = true;
}

void EntryController::begin(Mode mode)
{
    if (mode == Mode::MODIFY)
        refuse("replicas cannot have several writers at once",
               "take a Writer, or allocate the object in a MigrationSpace");
    if (!valid) {
        if (leader() == my_rank)
            fetch(writes, source);
        else
            ask(leader(), [id = id(), known = writes, from = source] {
                entry_of(id).fetch(known, from);
            });
        valid = true;
    }
    if (old)
        forget();
    used = true;
}

void EntryController::end_writing()
{
    write_back(object(), birth.bytes);
    used = false;
}

void EntryController::written(int writer)
{
    if (!ahead)
        learn(domain_of(writer));
    ahead = false;
}

void EntryController::learn(int last_source)
{
    writes++;
    source = last_source;
    valid = source == domain();
    if (used)
        old = true;
}

void EntryController::forget()
{
    if (used || old)
        drop(object(), birth.bytes);
    used = old = false;
}
} // namespace

Controller *new_entry_controller(const Birth &birth)
{
    return new EntryController(birth);
}
} // namespace detail
} // namespace mesh
