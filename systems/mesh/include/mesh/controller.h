/*
 * controller.h: each core's part of a shared object: the shared-exclusive
 * lock, and the rules of a sharing space.
 *
 * The lock is distributed. A sharing access needs no message. An excluding
 * access asks the object's home, the core that allocated it. The home admits
 * one core at a time, and sends a step to all cores; each core responds when
 * its own readers have ended. All cores therefore see one order of writers. At
 * the end, a message to all cores opens the lock again.
 */
#ifndef MESH_CONTROLLER_H
#define MESH_CONTROLLER_H

#include <deque>

#include "mesh/container.h"

namespace mesh
{
namespace detail
{
/* Of a Reader, a MultipleWriter, a Writer. The first two share. */
enum class Mode { READ, MODIFY, WRITE };

/* The description of a new object, which is sent to all cores. */
struct Birth {
    Grant grant;
    uint32_t bytes;
    int home;  /* the rank that orders its writers */
    int place; /* the rank on which it is constructed */
};

class Controller
{
  public:
    explicit Controller(const Birth &birth);
    virtual ~Controller() = default;

    /* An access of this core begins: waits for the lock, serving messages, and
     * makes the data usable; an error where waiting could not end. It ends. */
    void enter(Mode mode);
    void leave(Mode mode);

    /* The rank of the core whose instance of the object runs the methods. */
    virtual int place() const = 0;
    /* An error if the object cannot be used directly on this core. */
    virtual void check_here() const
    {
    }
    /* Called before this core applies a method on another core's instance. */
    virtual void note_apply()
    {
    }
    uint32_t offset() const
    {
        return birth.grant.offset;
    }
    uint32_t id() const
    {
        return birth.grant.id;
    }

    /* Handlers of messages: request and finished run at the home, lock and
     * unlock on every core. */
    void request(int writer);
    void finished(int writer);
    void lock(int writer, Later later);
    void unlock(int writer);
    void granted();

    /* Ends the object on this core: drops it from the caches, informs writers
     * that still wait at the home, and deletes this controller. */
    void destroy();
    /* Moves the instance to a rank; an error unless in a MigrationSpace. */
    virtual void migrate(int core);

  protected:
    /* Called when this core has got the lock: makes the object's data usable
     * here. */
    virtual void begin(Mode mode) = 0;
    /* Called before this core releases the exclusive lock: makes its changes
     * visible to others. */
    virtual void end_writing() = 0;
    virtual void end_sharing()
    {
    }
    /* Called on every core when core `writer` (a rank) has changed the object
     * and released its lock. */
    virtual void written(int writer) = 0;
    /* Drops the object's data from this core's caches, so that no old bytes can
     * be read there; also called when the object is destroyed. */
    virtual void forget() = 0;
    /* Calls later.done() once every method that this core applied to the object
     * has run. */
    virtual void settle(Later later)
    {
        later.done();
    }
    [[noreturn]] void refuse(const char *what, const char *hint) const;

    Birth birth;

  private:
    void share();
    void exclude();
    void admit_next();
    void show(int value) const;

    int sharing = 0;      /* sharing accesses of this core */
    bool locked = false;  /* a writer was admitted: no new sharing accesses */
    bool holding = false; /* this core excludes all others */
    volatile bool admitted = false; /* the home has admitted this core */
    bool asked = false;             /* a writer waits for its readers */
    Later answer;
    std::deque<int> writers; /* at the home; the first is admitted */
};

/* This core's controller of an object; an error if the object was released. */
Controller &controller_of(uint32_t id);
void release_shared(uint32_t id);
void migrate_shared(uint32_t id, int core);
Controller *new_entry_controller(const Birth &birth);
Controller *new_migration_controller(const Birth &birth);

/* True while this core runs a method because of another core's message. The
 * method must not wait for locks then. */
bool handling();
} // namespace detail
} // namespace mesh

#endif
