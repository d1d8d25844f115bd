/*
 * controller.h: what each core keeps of a shared object: the shared-exclusive
 * lock, and a sharing space's rules.
 *
 * The lock is distributed. Who shares asks nobody but the own core. Who
 * excludes asks the object's home, the core that allocated it: that one admits
 * one core at a time, and takes a step over all cores, each of which answers
 * when its own readers have left. So all cores see the same order of writers.
 * At the end one map over all cores opens the lock again.
 */
#ifndef MESH_CONTROLLER_H
#define MESH_CONTROLLER_H

#include <deque>

#include "mesh/container.h"

namespace mesh
{
namespace detail
{
enum class Mode { READ, MODIFY, WRITE };

/* What all cores are told of a new object. */
struct Birth {
    Grant grant;
    uint32_t bytes;
    int home;
    int place;
};

class Controller
{
  public:
    explicit Controller(const Birth &birth);
    virtual ~Controller() = default;

    void enter(Mode mode);
    void leave(Mode mode);

    /* The core whose instance methods run on. */
    virtual int place() const = 0;
    virtual void check_here() const
    {
    }
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

    /* By messages: at the home; on every core. */
    void request(int writer);
    void finished(int writer);
    void lock(int writer, Later later);
    void unlock(int writer);
    void granted();

    /* The object is no more. */
    void destroy();
    virtual void migrate(int core);

  protected:
    /* The lock is held: make the data usable. */
    virtual void begin(Mode mode) = 0;
    /* Before the exclusive lock is given up. */
    virtual void end_writing() = 0;
    virtual void end_sharing()
    {
    }
    /* On every core, when a writer is through. */
    virtual void written(int writer) = 0;
    /* This core's part of its end: nothing of it stays in caches. */
    virtual void forget() = 0;
    /* Calls `later` when nothing that this core sent is under way. */
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

    int sharing = 0; /* access objects of this core that share */
    bool locked = false;
    bool holding = false; /* this core excludes the others */
    volatile bool admitted = false;
    bool asked = false; /* a writer waits for this core's readers */
    Later answer;
    std::deque<int> writers; /* at the home: the first one is admitted */
};

Controller &controller_of(uint32_t id);
void release_shared(uint32_t id);
void migrate_shared(uint32_t id, int core);
Controller *new_entry_controller(const Birth &birth);
Controller *new_migration_controller(const Birth &birth);

/* Whether this core runs a method by a message: it must not wait for locks. */
bool handling();
} // namespace detail
} // namespace mesh

#endif
