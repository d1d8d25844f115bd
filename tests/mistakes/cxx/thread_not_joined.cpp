// A std::thread is destroyed before it was joined.
// cc: -O0 -g -pthread
// run: -n 2
// expect-exit: 76
// expect-stderr: aborted \(std::terminate\)
// expect-stderr: at main \(thread_not_joined\.cpp:18\)
// expect-stderr: hint: catch the exception .*; join or detach each std::thread before it is destroyed

#include <thread>

int main()
{
    std::thread thread([] {});
#ifdef MENDED
    thread.join();
#endif
    return 0;
}
