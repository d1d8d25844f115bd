/* The planner over MPI, whose messages go through the channel that mpirun
 * chooses:
 *
 *     rck mpicxx -std=c++17 -O2 -I systems/planner
 *         systems/planner/programs/over_mpi.cpp -lplanner -o planner
 *     rck mpirun -n 8 --share FOLDER planner DOMAIN PROBLEM
 *
 * A sender has few messages under way to each rank: more of them, all small
 * and unexpected, would fill the receiver's memory.
 */
#include <cstring>
#include <mpi.h>
#include <vector>

#include "include/planner.h"
#include "share/transport.h"

namespace
{
constexpr int TAG = 1;
/* Messages to one rank that MPI has not taken yet. */
constexpr size_t UNDER_WAY = 4;

class OverMpi : public planner::Transport
{
  public:
    OverMpi()
    {
        MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
        MPI_Comm_size(MPI_COMM_WORLD, &ranks_);
    }
    int rank() const override
    {
        return rank_;
    }
    int ranks() const override
    {
        return ranks_;
    }
    void open(size_t bytes) override
    {
        bytes_ = bytes;
        is_open_ = true;
        slots_.resize((size_t)ranks_ * UNDER_WAY);
        for (Slot &slot : slots_)
            slot.bytes.resize(bytes);
    }
    bool send(int to, const void *message) override
    {
        for (size_t n = 0; n < UNDER_WAY; n++) {
            Slot &slot = slots_[(size_t)to * UNDER_WAY + n];
            int done = 1;

            if (slot.request != MPI_REQUEST_NULL)
                MPI_Test(&slot.request, &done, MPI_STATUS_IGNORE);
            if (!done)
                continue;
            std::memcpy(slot.bytes.data(), message, bytes_);
            MPI_Isend(slot.bytes.data(), (int)bytes_, MPI_BYTE, to, TAG,
                      MPI_COMM_WORLD, &slot.request);
            return true;
        }
        return false;
    }
    bool take(int &from, void *message) override
    {
        MPI_Status status;
        int there = 0;

        MPI_Iprobe(MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &there, &status);
        if (!there)
            return false;
        from = status.MPI_SOURCE;
        MPI_Recv(message, (int)bytes_, MPI_BYTE, from, TAG, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
        return true;
    }
    void rest() override
    {
        MPI_Probe(MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    void close() override
    {
        for (Slot &slot : slots_)
            MPI_Wait(&slot.request, MPI_STATUS_IGNORE);
        is_open_ = false;
    }
    /* Others may wait for this rank. */
    bool is_open() const
    {
        return is_open_;
    }
    uint64_t now() const override
    {
        return (uint64_t)(MPI_Wtime() * 1e9);
    }
    uint64_t shared_now() const override
    {
        return now();
    }

  private:
    struct Slot {
        std::vector<char> bytes;
        MPI_Request request = MPI_REQUEST_NULL;
    };
    int rank_ = 0, ranks_ = 1;
    size_t bytes_ = 0;
    bool is_open_ = false;
    std::vector<Slot> slots_; /* UNDER_WAY for each rank */
};
} // namespace

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    OverMpi transport;
    int code = planner::run(argc, argv, &transport);

    if (transport.is_open())
        MPI_Abort(MPI_COMM_WORLD, code);
    MPI_Finalize();
    return code;
}
