// A constructor calls a function that only a derived class has.
// cc: -O0 -g
// run: -n 1
// expect-exit: 76
// expect-stderr: aborted \(a pure virtual function was called\)
// expect-stderr: at Shape::ask\(\) \(pure_virtual\.cpp:16\)
// expect-stderr: hint: a constructor or destructor calls a function that only a derived class defines

struct Shape {
    int known;
    Shape() : known(ask())
    {
    }
    int ask()
    {
        return area();
    }
#ifdef MENDED
    virtual int area()
    {
        return 0;
    }
#else
    virtual int area() = 0;
#endif
};

struct Square : Shape {
    int area() override
    {
        return 4;
    }
};

int main()
{
    Square square;
    return square.known;
}
