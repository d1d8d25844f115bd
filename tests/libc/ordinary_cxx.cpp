// Exceptions, streams, containers, strings, virtual calls, static objects.
// run: -n 1
// expect-stdout:
// made global
// and=2 core=1 memory=1 mesh=1 the=3
// made local
// made local
// made local
// gone local
// gone local
// gone local
// caught deep enough
// negative side
// 0.250 2.250 6.250 12.250
// 1.235e+04 beef
// range checked
// gone global
#include <algorithm>
#include <iomanip>
#include <iostream>
#include <map>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

struct Shape {
    virtual ~Shape() = default;
    virtual double area() const = 0;
};

struct Square : Shape {
    explicit Square(double side) : side(side)
    {
        if (side < 0)
            throw std::invalid_argument("negative side");
    }
    double area() const override
    {
        return side * side;
    }
    double side;
};

struct Announced {
    explicit Announced(const char *name) : name(name)
    {
        std::cout << "made " << name << '\n';
    }
    ~Announced()
    {
        std::cout << "gone " << name << '\n';
    }
    const char *name;
};

static Announced global("global");

static int depth(int n)
{
    Announced local("local");
    if (n == 0)
        throw std::out_of_range("deep enough");
    return depth(n - 1);
}

int main()
{
    std::map<std::string, int> words;
    std::istringstream text("the core and the mesh and the memory");
    for (std::string word; text >> word;)
        words[word]++;
    const char *between = "";
    for (const auto &entry : words) {
        std::cout << between << entry.first << '=' << entry.second;
        between = " ";
    }
    std::cout << '\n';

    try {
        depth(2);
    } catch (const std::exception &e) {
        std::cout << "caught " << e.what() << '\n';
    }
    std::vector<std::unique_ptr<Shape>> shapes;
    for (int i = 3; i >= -1; i--) {
        try {
            shapes.emplace_back(new Square(i + 0.5));
        } catch (const std::invalid_argument &e) {
            std::cout << e.what() << '\n';
        }
    }
    std::sort(shapes.begin(), shapes.end(), [](const auto &a, const auto &b) {
        return a->area() < b->area();
    });
    between = "";
    for (const auto &shape : shapes) {
        std::cout << between << std::fixed << std::setprecision(3)
                  << shape->area();
        between = " ";
    }
    std::cout << '\n'
              << std::scientific << 12345.678 << ' ' << std::hex << 48879
              << '\n';
    try {
        std::vector<int> few(3);
        few.at(3) = 1;
    } catch (const std::out_of_range &) {
        std::cout << "range checked\n";
    }
    return 0;
}
