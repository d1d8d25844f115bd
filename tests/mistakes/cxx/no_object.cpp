// A method of an object that is not there.
// cc: -O0 -g
// run: -n 1
// expect-exit: 76
// expect-stderr: at grid::Cell::get\(int\) const \(no_object\.cpp:14\)
// expect-stderr: called from main \(no_object\.cpp:30\)

namespace grid
{
struct Cell {
    int value = 1;
    int get(int factor) const
    {
        return value * factor;
    }
};

static const Cell *find(int number)
{
    static const Cell only;
    return number == 0 ? &only : nullptr;
}
} // namespace grid

int main()
{
#ifdef MENDED
    return grid::find(0)->get(2) - 2;
#else
    return grid::find(1)->get(2) - 2;
#endif
}
