/* Sends and receives messages, so that no two ranks wait for each other's
 * room. */
#ifndef PLANNER_SHARE_COURIER_H
#define PLANNER_SHARE_COURIER_H

#include <deque>
#include <vector>

#include "share/message.h"
#include "share/transport.h"

namespace planner
{
struct Traffic {
    uint64_t sent = 0, taken = 0; /* number of states */
    uint64_t bytes = 0;           /* sent in messages of all kinds */
    uint64_t stalls = 0;          /* sends that waited for room */
};

class Courier
{
  public:
    Courier(Transport *transport, size_t state_words);

    int rank() const
    {
        return rank_;
    }
    int ranks() const
    {
        return ranks_;
    }
    Message message() const
    {
        return Message(words_);
    }
    /* Sends a message to rank `to` (its own: puts it into the queues), and
     * waits for room if there is none. While it waits, it takes in messages
     * that arrive. HALT ends the wait for room unless one of the two is the
     * leader: the message is dropped, because it is no longer needed, and the
     * other rank may have ended. */
    void send(int to, const Message &message);
    /* Sends what the transport has kept back. HALT ends this, too. */
    void flush();
    void beat()
    {
        if (transport_)
            transport_->beat();
    }
    /* Takes in the messages that have arrived: states into one queue, all
     * others into a second one. After HALT, states are dropped. */
    void take_in();
    /* Waits until a message may have arrived, unless a queue has one. */
    void rest();
    /* Take the first message of a queue; false if it is empty. */
    bool next_state(Message &message, int &from);
    bool next_word(Message &message, int &from);
    bool has_states() const
    {
        return !states_.empty();
    }
    Traffic traffic;

  private:
    struct Letter {
        int from;
        Message message;
    };
    Transport *transport_; /* null if there is one rank only */
    int rank_, ranks_;
    size_t words_;
    bool halted_ = false;
    Message in_;
    std::deque<Letter> states_, words_in_;
    /* The buffers of letters that were read, for those to come: a store into
     * memory that no cache has goes to memory by itself. */
    std::vector<Message> spare_;

    /* After HALT only messages to the leader and from it are. */
    bool is_needed(int to) const
    {
        return !halted_ || to == 0 || rank_ == 0;
    }
    Message blank();
    void keep(int from, Message message);
    bool next(std::deque<Letter> &letters, Message &message, int &from);
};
} // namespace planner

#endif
