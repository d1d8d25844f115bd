// std::call_once on all cores: one does it, the others wait for it; after an
// exception the next one tries. Flags at one place begin anew.
// cc: -O1 -std=c++20 -pthread
// run: -n 4 --tag none
// expect-stdout:
// not yet
// not yet
// tries 3 done 1
// done 12
#include <cstdio>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

static std::mutex lines;

template <class Body> static void in_threads(int count, Body body)
{
    std::vector<std::thread> threads;

    for (int n = 0; n < count; n++)
        threads.emplace_back(body, n);
    for (auto &thread : threads)
        thread.join();
}

int main()
{
    std::once_flag flag;
    int tries = 0, done = 0, rounds = 0;

    in_threads(6, [&](int) {
        try {
            std::call_once(flag, [&] {
                if (++tries < 3)
                    throw std::runtime_error("not yet");
                done++;
            });
        } catch (const std::exception &error) {
            std::lock_guard guard(lines);
            std::puts(error.what());
        }
    });
    std::printf("tries %d done %d\n", tries, done);
    for (int round = 0; round < 12; round++) {
        std::once_flag once;
        in_threads(4, [&](int n) {
            for (volatile int k = 0; k < round * (n ? 300 : 10); k = k + 1)
                continue;
            std::call_once(once, [&] {
                for (volatile int k = 0; k < round * 200; k = k + 1)
                    continue;
                rounds++;
            });
        });
    }
    std::printf("done %d\n", rounds);
    return 0;
}
