/* A transport that sends several messages to a rank as one message of
 * another transport. */
#ifndef PLANNER_SHARE_BATCHES_H
#define PLANNER_SHARE_BATCHES_H

#include <vector>

#include "share/transport.h"

namespace planner
{
class Batches : public Transport
{
  public:
    /* `most`: the number of messages in a batch. */
    Batches(Transport &under, size_t most);

    int rank() const override
    {
        return under_.rank();
    }
    int ranks() const override
    {
        return under_.ranks();
    }
    void open(size_t bytes) override;
    /* The message waits until its batch is full, or until flush(to). */
    bool send(int to, const void *message) override;
    bool flush(int to) override;
    bool take(int &from, void *message) override;
    void rest() override
    {
        under_.rest();
    }
    void beat() override
    {
        under_.beat();
    }
    void close() override
    {
        under_.close();
    }
    uint64_t now() const override
    {
        return under_.now();
    }
    uint64_t shared_now() const override
    {
        return under_.shared_now();
    }

  private:
    /* A line that begins with the number of messages, then the messages. */
    using Batch = std::vector<unsigned char>;

    Transport &under_;
    size_t most_, bytes_ = 0;
    std::vector<Batch> out_; /* by rank */
    Batch in_;
    int from_ = 0;
    size_t given_ = 0; /* messages of `in_` that were taken */

    unsigned char *place(Batch &batch, size_t number) const;
    bool push(int to);
};
} // namespace planner

#endif
