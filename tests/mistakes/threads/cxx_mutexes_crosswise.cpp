// Two threads lock two accounts in opposite orders.
// cc: -O1 -g -pthread
// run: -n 3
// expect-exit: 75
// expect-stderr: lock-cycle: 2 threads each hold a lock that the one before wants(?s:.*)hint: take locks in the same order everywhere
// expect-stderr: pthread_mutex_lock of `.*two.*`, at .*transfer.* \(cxx_mutexes_crosswise.cpp:26\)

#include <chrono>
#include <mutex>
#include <thread>
struct Account {
    std::mutex lock;
    int money = 10;
};
static Account one, two;
__attribute__((noinline)) static void transfer(Account &from, Account &to)
{
#ifdef MENDED
    std::scoped_lock both(from.lock, to.lock);
    from.money--;
    to.money++;
    return;
#endif
    std::lock_guard<std::mutex> first(from.lock);
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    std::lock_guard<std::mutex> second(to.lock);
    from.money--;
    to.money++;
}
int main()
{
    std::thread a([] { transfer(one, two); }), b([] { transfer(two, one); });
    a.join();
    b.join();
}
