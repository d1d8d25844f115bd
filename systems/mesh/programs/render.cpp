/*
 * render.cpp: each core asks for a row of a picture, computes it, and repeats.
 *
 *   render ROWS
 *
 * The settings are an object with a replica in each memory domain. The picture
 * is one object on core 0, which hands rows out and takes results. Core 0
 * computes no row unless it is alone. render_rcce.c draws this picture by
 * RCCE's messages.
 */
#include "mandelbrot.h"
#include "mesh.h"

#include <cstdio>
#include <cstdlib>

using namespace mesh;

struct Row {
    unsigned char pixels[COLUMNS];
};

class Picture
{
  public:
    explicit Picture(int rows) : rows(rows)
    {
    }
    int next()
    {
        return given < rows ? given++ : -1;
    }
    void put(int row, Row result)
    {
        sum = checksum(sum, row, result.pixels);
    }
    unsigned total() const
    {
        return sum;
    }

  private:
    int rows, given = 0;
    unsigned sum = 0;
};

static void work(Shared<View> settings, Shared<Picture> shared)
{
    Reader<View> view(settings);
    MultipleWriter<Picture> picture(shared);
    int row;

    while ((row = picture->invoke(m2f(&Picture::next))) >= 0) {
        Row result;

        compute_row(&*view, row, result.pixels);
        picture->apply(m2f(&Picture::put, row, result));
    }
}

int main(int argc, char **argv)
{
    static Shared<View> settings;
    static Shared<Picture> picture;
    Job job(&argc, &argv);
    int rows = argc > 1 ? atoi(argv[1]) : 64;

    if (rank() == 0) {
        auto view = allocate<View>(EntryConsistencySpace())(make_view(rows));
        auto made = allocate<Picture>(MigrationSpace(0))(rows);

        ControlPtr<int> everyone = control<int>(0);
        everyone.each()->step([view, made](int &) {
            settings = view;
            picture = made;
        });
    }
    barrier();
    if (rank() != 0 || ranks() == 1)
        work(settings, picture);
    barrier();
    if (rank() == 0) {
        Writer<Picture> done(picture);

        printf("%d rows, checksum %08x\n", rows, (*done).total());
    }
    return 0;
}
