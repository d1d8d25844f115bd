// A thread ends without the value that it has promised; main waits for it.
// cc: -O1 -g -pthread
// run: -n 2
// expect-exit: 75
// expect-stderr: the main thread \(core 00\) waits: pthread_cond_wait of .*, at main \(promise_not_kept\.cpp:\d+\)
// expect-stderr: hint: signal it after each change

#include <future>
#include <thread>

int main()
{
    std::promise<int> promise;
    auto value = promise.get_future();
    std::thread worker([&] {
#ifdef MENDED
        promise.set_value(0);
#endif
    });
    int got = value.get();
    worker.join();
    return got;
}
