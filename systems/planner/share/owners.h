/* The rank to which a state belongs. */
#ifndef PLANNER_SHARE_OWNERS_H
#define PLANNER_SHARE_OWNERS_H

#include "state/state.h"

namespace planner
{
enum class Owning {
    HASH,    /* by the whole key, as published */
    ABSTRACT /* by the facts that few actions change */
};

/* Ways to share states other than the published one. */
struct Sharing {
    Owning owning = Owning::HASH;
    bool portfolio = false; /* rank 0 searches alone, the others together */
    uint32_t batch = 1;     /* most states in a message */
};

class Owner
{
  public:
    /* With a portfolio, rank 0 owns all that it generates. */
    Owner(const Tables &tables, const States &states, const Sharing &sharing,
          int rank, int ranks);

    bool is_portfolio() const
    {
        return portfolio_;
    }
    int of(const Word *state, Key key) const;

  private:
    const States &states_;
    int rank_, ranks_;
    bool portfolio_;
    State mask_; /* ABSTRACT: the facts that decide; else empty */
};
} // namespace planner

#endif
