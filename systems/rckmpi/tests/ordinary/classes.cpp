// C++: containers, lambdas, exceptions beside MPI. run: -n 3
#include <algorithm>
#include <iostream>
#include <mpi.h>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

class Mpi
{
  public:
    Mpi(int &argc, char **&argv)
    {
        MPI_Init(&argc, &argv);
    }
    ~Mpi()
    {
        MPI_Finalize();
    }
    Mpi(const Mpi &) = delete;
    int rank() const
    {
        int rank;
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        return rank;
    }
};

int main(int argc, char **argv)
{
    Mpi mpi(argc, argv);
    std::vector<double> values(10);
    std::iota(values.begin(), values.end(), 10.0 * mpi.rank());
    double own = std::accumulate(values.begin(), values.end(), 0.0), sum = 0;
    MPI_Allreduce(&own, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    try {
        if (sum != 435)
            throw std::runtime_error("wrong sum");
        if (mpi.rank() == 0)
            std::cout << "classes: " << sum << std::endl;
    } catch (const std::exception &error) {
        std::cout << error.what() << std::endl;
    }
}
