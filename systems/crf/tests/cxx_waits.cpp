// C++20's waits: a thread on another core counts a latch down, takes a semaphore,
// comes to a barrier, and waits for an atomic variable.
// cc: -O1 -std=c++20 -pthread
// run: -n 2 --tag none
// expect-stdout:
// 5 7 30
#include <atomic>
#include <barrier>
#include <cstdio>
#include <latch>
#include <semaphore>
#include <thread>

static std::latch both(2);
static std::binary_semaphore permit(0);
static std::barrier<> meeting(2);
static std::atomic<int> turn{0};
static int first, second, rounds;

static void work()
{
    first = 5;
    both.count_down();
    permit.acquire();
    second = 7;
    meeting.arrive_and_wait();
    for (int n = 0; n < 30; n += 2) {
        turn.wait(n);
        rounds += 2;
        turn = n + 2;
        turn.notify_one();
    }
}

int main()
{
    std::thread other(work);
    both.arrive_and_wait();
    permit.release();
    meeting.arrive_and_wait();
    for (int n = 0; n < 30; n += 2) {
        turn = n + 1;
        turn.notify_one();
        turn.wait(n + 1);
    }
    other.join();
    std::printf("%d %d %d\n", first, second, rounds);
}
