/*
 * barnes.cpp: forces between bodies by Barnes and Hut's tree.
 *
 *   barnes BODIES STEPS
 *
 * Core 0 builds the tree, a replicated object whose nodes point to each other;
 * all cores walk it for their share of the bodies and put the forces into one
 * central vector, which core 0 reads when all have left it. Prints cores,
 * bodies, cycles a step, of these the building of the tree, and a checksum that
 * is the same on all numbers of cores. The first step is not counted.
 * -DMOST=N at the build is how many bodies there may be.
 */
#include "mesh.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>

using namespace mesh;

#ifndef MOST
#define MOST 2048 /* bodies: the tree is as large */
#endif
constexpr int MOST_BODIES = MOST, MOST_NODES = 2 * MOST_BODIES, BLOCK = 8;
constexpr float OPENING = 0.25f; /* the square of the angle */
constexpr float SOFT = 1e-4f, STEP = 1e-3f;

struct Vector {
    float x, y, z;
};

struct Body {
    Vector place, speed;
    float mass;
};

/* A body, or a cube and what is in it. */
struct Node {
    Vector place; /* the center of mass */
    float mass, size;
    Node *child[8];
    bool leaf;
};

class Tree
{
  public:
    void build(const Body *bodies, int count)
    {
        used = 0;
        root = add({0, 0, 0}, 0, 2, false);
        for (int n = 0; n < count; n++)
            insert(root, {0, 0, 0}, bodies[n].place, bodies[n].mass);
        weigh(root);
    }

    Vector force(Vector at) const
    {
        Vector sum{0, 0, 0};

        walk(root, at, sum);
        return sum;
    }

  private:
    Node *add(Vector place, float mass, float size, bool leaf)
    {
        if (used == MOST_NODES)
            fail("fewer bodies", "the tree has more than %d nodes", MOST_NODES);
        Node *node = &nodes[used++];

        *node = {place, mass, size, {}, leaf};
        return node;
    }

    /* Below a cube around `middle`. */
    void insert(Node *cube, Vector middle, Vector place, float mass)
    {
        float half = cube->size / 4;
        int which = (place.x > middle.x) + 2 * (place.y > middle.y) +
                    4 * (place.z > middle.z);
        Node *&child = cube->child[which];

        middle.x += which & 1 ? half : -half;
        middle.y += which & 2 ? half : -half;
        middle.z += which & 4 ? half : -half;
        if (!child) {
            child = add(place, mass, 0, true);
            return;
        }
        if (child->leaf) {
            Node *body = child;

            child = add({0, 0, 0}, 0, cube->size / 2, false);
            insert(child, middle, body->place, body->mass);
        }
        insert(child, middle, place, mass);
    }

    void weigh(Node *cube)
    {
        Vector sum{0, 0, 0};

        for (Node *child : cube->child) {
            if (!child)
                continue;
            if (!child->leaf)
                weigh(child);
            cube->mass += child->mass;
            sum.x += child->mass * child->place.x;
            sum.y += child->mass * child->place.y;
            sum.z += child->mass * child->place.z;
        }
        if (cube->mass > 0)
            cube->place = {sum.x / cube->mass, sum.y / cube->mass,
                           sum.z / cube->mass};
    }

    static void walk(const Node *node, Vector at, Vector &sum)
    {
        float x = node->place.x - at.x, y = node->place.y - at.y;
        float z = node->place.z - at.z;
        float square = x * x + y * y + z * z;

        if (!node->leaf && node->size * node->size > OPENING * square) {
            for (const Node *child : node->child)
                if (child)
                    walk(child, at, sum);
            return;
        }
        square += SOFT;
        float pull = node->mass / (square * std::sqrt(square));
        sum.x += pull * x;
        sum.y += pull * y;
        sum.z += pull * z;
    }

    Node *root;
    int used;
    Node nodes[MOST_NODES];
};

struct Block {
    Vector force[BLOCK];
};

class Forces
{
  public:
    void put(int block, Block forces)
    {
        blocks[block] = forces;
    }
    Vector at(int body) const
    {
        return blocks[body / BLOCK].force[body % BLOCK];
    }

  private:
    Block blocks[MOST_BODIES / BLOCK];
};

static Shared<Tree> tree;
static Shared<Forces> forces;
static Body bodies[MOST_BODIES]; /* on each core: all move them alike */
static int count;

static void make_bodies()
{
    uint32_t state = 7;
    auto draw = [&state] {
        state = state * 1664525u + 1013904223u;
        return (float)(state >> 8) / (float)(1 << 24) - 0.5f;
    };

    for (int n = 0; n < count; n++)
        bodies[n] = {{draw(), draw(), draw()}, {0, 0, 0}, 1.0f / (float)count};
}

static void compute()
{
    Reader<Tree> reader(tree);
    MultipleWriter<Forces> writer(forces);
    const Tree &here = *reader;

    for (int block = rank(); block < count / BLOCK; block += ranks()) {
        Block result;

        for (int n = 0; n < BLOCK; n++)
            result.force[n] = here.force(bodies[block * BLOCK + n].place);
        writer->apply(m2f(&Forces::put, block, result));
        poll();
    }
}

/* Sends all cores the places of the bodies, a part at a time. */
static void spread_bodies()
{
    constexpr int PART = 64;
    struct Places {
        Vector place[PART];
    };

    for (int first = 0; first < count; first += PART) {
        Places part;

        for (int n = 0; n < PART && first + n < count; n++)
            part.place[n] = bodies[first + n].place;
        detail::map_all([first, part] {
            for (int n = 0; n < PART && first + n < count; n++)
                bodies[first + n].place = part.place[n];
        });
    }
}

static void move()
{
    Writer<Forces> reader(forces); /* when all have put theirs */

    for (int n = 0; n < count; n++) {
        Body &body = bodies[n];
        Vector force = (*reader).at(n);

        body.speed = {body.speed.x + STEP * force.x,
                      body.speed.y + STEP * force.y,
                      body.speed.z + STEP * force.z};
        body.place = {body.place.x + STEP * body.speed.x,
                      body.place.y + STEP * body.speed.y,
                      body.place.z + STEP * body.speed.z};
    }
}

static uint64_t building;

static void step()
{
    if (rank() == 0) {
        uint64_t start = __builtin_ia32_rdtsc();
        Writer<Tree> writer(tree);

        (*writer).build(bodies, count);
        building += __builtin_ia32_rdtsc() - start;
    }
    barrier();
    compute();
    barrier();
    if (rank() == 0) {
        move();
        spread_bodies();
    }
    settle();
}

int main(int argc, char **argv)
{
    Job job(&argc, &argv);
    int steps = argc > 2 ? atoi(argv[2]) : 1;

    count = argc > 1 ? atoi(argv[1]) : 1024;
    if (count < BLOCK || count > MOST_BODIES || count % BLOCK || steps < 1)
        fail("barnes BODIES STEPS, up to as many as it was built for "
             "(-DMOST=2048), a multiple of 8",
             "%d bodies, %d steps", count, steps);
    make_bodies();
    if (rank() == 0) {
        auto made = allocate<Tree>(EntryConsistencySpace())();
        auto vector = allocate<Forces>(MigrationSpace(0))();

        detail::step_all([made, vector] {
            tree = made;
            forces = vector;
        });
    }
    barrier();
    step();
    building = 0;
    uint64_t start = __builtin_ia32_rdtsc();
    for (int n = 0; n < steps; n++)
        step();
    uint64_t cycles = __builtin_ia32_rdtsc() - start;
    double sum = 0;
    for (int n = 0; n < count; n++)
        sum +=
            bodies[n].place.x + 2 * bodies[n].place.y + 3 * bodies[n].place.z;
    if (rank() == 0) {
        printf("%d %d %llu %llu %.9f\n", ranks(), count,
               (unsigned long long)cycles / steps,
               (unsigned long long)building / steps, sum);
        release(tree);
        release(forces);
    }
    return 0;
}
