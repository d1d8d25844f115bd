// A word is read as a number.
// cc: -O1 -g
// run: -n 1
// expect-exit: 76
// expect-stderr: terminating due to uncaught exception of type std::invalid_argument
// expect-stderr: rck: core 00 \(tile 0,0\): aborted \(an exception that nobody catches\)
// expect-stderr: main \(number_of_a_word.cpp:20\)
// expect-stderr: hint: catch it, or prevent it; its type is above

#include <string>

#ifdef MENDED
static std::string text = "12";
#else
static std::string text = "twelve";
#endif

int main()
{
    return std::stoi(text) != 12;
}
