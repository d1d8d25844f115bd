/*
 * red_black.c: a red-black tree with links to parents.
 *
 * Repairs begin where the tree has changed and go up until its rules hold.
 * An object with two children changes places with the next one
 * (jcell_rename).
 */
#include "jcell_tree.h"

enum { BLACK, RED };

static int colour(int object)
{
    return object ? jcell_load(object)->height : BLACK;
}

static int parent(int object)
{
    return jcell_load(object)->parent;
}

static void set_parent(int object, int above)
{
    if (object && jcell_load(object)->parent != above)
        jcell_store(object)->parent = (short)above;
}

static int side_of(int object, int above)
{
    return jcell_child(above, 0) != object;
}

/* Puts another object where this one is. */
static void replace(int object, int above, int other)
{
    if (above)
        jcell_set_child(above, side_of(object, above), other);
    else
        jcell_set_root(other);
}

/* The child on the other side rises; `object` sinks to `side`. */
static void rotate(int object, int side)
{
    int child = jcell_child(object, !side);
    int inner = jcell_child(child, side);
    int above = parent(object);

    jcell_set_child(object, !side, inner);
    set_parent(inner, object);
    set_parent(child, above);
    replace(object, above, child);
    jcell_set_child(child, side, object);
    set_parent(object, child);
}

/* Where the key is, or what it would hang below. */
static int find(int key, int *above)
{
    int object = jcell_root();

    *above = 0;
    while (object) {
        int here = jcell_load(object)->key;

        if (here == key)
            break;
        *above = object;
        object = jcell_child(object, key > here);
    }
    return object;
}

static void repair_red(int object)
{
    while (object != jcell_root() && colour(parent(object)) == RED) {
        int above = parent(object), top = parent(above);
        int side = side_of(above, top);
        int uncle = jcell_child(top, !side);

        if (colour(uncle) == RED) {
            jcell_set_height(above, BLACK);
            jcell_set_height(uncle, BLACK);
            jcell_set_height(top, RED);
            object = top;
            continue;
        }
        if (object == jcell_child(above, !side)) {
            object = above;
            rotate(object, side);
            above = parent(object);
            top = parent(above);
        }
        jcell_set_height(above, BLACK);
        jcell_set_height(top, RED);
        rotate(top, !side);
    }
    jcell_set_height(jcell_root(), BLACK);
}

bool jcell_red_black_insert(int key)
{
    int above;
    int object = find(key, &above);

    if (object)
        return false;
    object = jcell_create(key);
    set_parent(object, above);
    if (above)
        jcell_set_child(above, key > jcell_load(above)->key, object);
    else
        jcell_set_root(object);
    jcell_set_height(object, RED);
    repair_red(object);
    return true;
}

/* One black object is missing on the ways through `object`. */
static void repair_black(int object)
{
    while (object != jcell_root() && colour(object) == BLACK) {
        int above = parent(object);
        int side = side_of(object, above);
        int sibling = jcell_child(above, !side);

        if (colour(sibling) == RED) {
            jcell_set_height(sibling, BLACK);
            jcell_set_height(above, RED);
            rotate(above, side);
            sibling = jcell_child(above, !side);
        }
        if (colour(jcell_child(sibling, 0)) == BLACK &&
            colour(jcell_child(sibling, 1)) == BLACK) {
            jcell_set_height(sibling, RED);
            object = above;
            continue;
        }
        if (colour(jcell_child(sibling, !side)) == BLACK) {
            jcell_set_height(jcell_child(sibling, side), BLACK);
            jcell_set_height(sibling, RED);
            rotate(sibling, !side);
            sibling = jcell_child(above, !side);
        }
        jcell_set_height(sibling, colour(above));
        jcell_set_height(above, BLACK);
        jcell_set_height(jcell_child(sibling, !side), BLACK);
        rotate(above, side);
        break;
    }
    jcell_set_height(object, BLACK);
}

bool jcell_red_black_delete(int key)
{
    int above;
    int object = find(key, &above);

    if (!object)
        return false;
    if (jcell_child(object, 0) && jcell_child(object, 1)) {
        int next = jcell_child(object, 1);

        while (jcell_child(next, 0))
            next = jcell_child(next, 0);
        int taken = jcell_load(next)->key;
        /* The key's own object goes; the next one's object takes its place. */
        jcell_rename(next, key);
        jcell_rename(object, taken);
        object = next;
    }
    int child = jcell_child(object, 0);
    if (!child)
        child = jcell_child(object, 1);
    if (child) {
        set_parent(child, parent(object));
        replace(object, parent(object), child);
        if (colour(object) == BLACK)
            repair_black(child);
    } else {
        if (colour(object) == BLACK)
            repair_black(object);
        /* A repair that ends at the root has not moved it. */
        replace(object, parent(object), 0);
    }
    jcell_discard(object);
    return true;
}
