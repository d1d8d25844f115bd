/* The messages between ranks: a head, and a state or numbers. */
#ifndef PLANNER_SHARE_MESSAGE_H
#define PLANNER_SHARE_MESSAGE_H

#include <cstdint>
#include <vector>

#include "state/state.h"

namespace planner
{
enum class Kind : uint32_t {
    STATE,     /* a node for its owner: number = sender's record */
    FOUND,     /* to the leader: node `number` is a goal */
    BOUND,     /* from the leader: plans must beat `cost` */
    HALT,      /* from the leader: stop expanding and sending */
    ASK,       /* from the leader: send the steps to `number` */
    STEPS,     /* the reply: actions, the last one first */
    TOKEN,     /* detection of idleness: words[0..3] are counts */
    END,       /* from the leader: send statistics, then end */
    STATISTIC, /* statistic n has the value `key` */
    FULL,      /* to the leader: memory full, with `number` nodes */
};

struct Head {
    Kind kind;
    uint32_t number;
    uint32_t length, cost;
    Key key;
    int32_t rank;   /* STEPS: rank of the next part, whose record there is
                     * `number`; -1: at the start */
    uint32_t count; /* STEPS: number of words, and perhaps MORE */
};

/* A flag in `count` of a STEPS message: another one with further steps
 * follows. */
constexpr uint32_t MORE = 1u << 31;

/* The bytes of a message: head and words. */
class Message
{
  public:
    explicit Message(size_t words) : words_(HEAD_WORDS + words)
    {
    }
    Head &head()
    {
        return *reinterpret_cast<Head *>(words_.data());
    }
    const Head &head() const
    {
        return *reinterpret_cast<const Head *>(words_.data());
    }
    Word *words()
    {
        return words_.data() + HEAD_WORDS;
    }
    const Word *words() const
    {
        return words_.data() + HEAD_WORDS;
    }
    size_t capacity() const
    {
        return words_.size() - HEAD_WORDS;
    }
    void *bytes()
    {
        return words_.data();
    }
    const void *bytes() const
    {
        return words_.data();
    }

  private:
    static constexpr size_t HEAD_WORDS = sizeof(Head) / sizeof(Word);
    std::vector<Word> words_;
};

/* The number of words behind the head for a state of `state_words` words:
 * whole lines of 32 bytes. */
inline size_t words_for(size_t state_words)
{
    return (state_words + 7) / 8 * 8;
}
} // namespace planner

#endif
