// C++: streams on all cores, owners counted, a static variable made once, what
// a future carries.
// cc: -O2 -std=c++20 -pthread
// run: -n 4 --tag none
// also-slow: --threads-model lazy
// also-slow: --threads-model strong
// slow: yes
// expect-stdout:
// owners 1 gone 1 made 1 sum 500
// thread says 42
// error from a thread
// 4 cores
#include <atomic>
#include <future>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

static std::atomic<int> gone{0};
static int made;

struct thing {
    int value = 5;
    ~thing()
    {
        gone++;
    }
};

struct single {
    single()
    {
        made++;
    }
};

static void use(std::shared_ptr<thing> owned, std::atomic<int> &sum)
{
    static single only;

    for (int n = 0; n < 20; n++) {
        std::shared_ptr<thing> copy = owned;
        std::weak_ptr<thing> weak = copy;

        if (auto locked = weak.lock())
            sum += locked->value;
    }
}

static void count_owners()
{
    std::atomic<int> sum{0};
    std::vector<std::thread> threads;
    auto owned = std::make_shared<thing>();
    long owners;

    for (int n = 0; n < 5; n++)
        threads.emplace_back(use, owned, std::ref(sum));
    for (auto &thread : threads)
        thread.join();
    threads.clear();
    owners = owned.use_count();
    owned.reset();
    std::cout << "owners " << owners << " gone " << gone << " made " << made
              << " sum " << sum << std::endl;
}

int main()
{
    count_owners();
    std::thread([] { std::cout << "thread says " << 42 << std::endl; }).join();
    auto fails = std::async(std::launch::async, []() -> int {
        throw std::runtime_error("error from a thread");
    });
    try {
        fails.get();
    } catch (const std::exception &error) {
        std::cout << error.what() << '\n';
    }
    std::cout << std::thread::hardware_concurrency() << " cores\n";
}
