// Two threads replace what a shared_ptr points to by std::atomic_load and
// std::atomic_compare_exchange_strong: each success counts once.
// cc: -O2 -std=c++17 -pthread
// run: -n 3 --tag none
// also-slow: --threads-model lazy
// also-slow: --threads-model strong
// also-slow: --threads-model uncached
// expect-stdout:
// sum of both: 1
#include <cstdio>
#include <memory>
#include <thread>

static std::shared_ptr<int> sum = std::make_shared<int>(0);

static void count(int *ends)
{
    for (int i = 0; i < 50; i++) {
        std::shared_ptr<int> now = std::atomic_load(&sum);
        std::shared_ptr<int> next = std::make_shared<int>(*now + 1);

        *ends += std::atomic_compare_exchange_strong(&sum, &now, next);
    }
}

int main()
{
    int ends[2] = {0, 0};
    std::thread first(count, &ends[0]), second(count, &ends[1]);

    first.join();
    second.join();
    std::printf("sum of both: %d\n", *sum == ends[0] + ends[1]);
}
