/*
 * avl.c: an AVL tree by recursion, each object with its subtree's height.
 *
 * On the way back from a change each object compares its children's heights,
 * until one's own height stays as it was. A deleted object with two children
 * gives its place to the smallest object of its right subtree.
 */
#include "jcell_tree.h"

enum change { NONE, HERE_AND_ABOVE, ONLY_BELOW };

static int height(int object)
{
    return object ? jcell_load(object)->height : 0;
}

static void update_height(int object)
{
    int left = height(jcell_child(object, 0));
    int right = height(jcell_child(object, 1));

    jcell_set_height(object, (left > right ? left : right) + 1);
}

/* The child on `side` rises above its parent. */
static int rotate(int object, int side)
{
    int child = jcell_child(object, side);

    jcell_set_child(object, side, jcell_child(child, !side));
    jcell_set_child(child, !side, object);
    update_height(object);
    update_height(child);
    return child;
}

static int balance(int object)
{
    int left = height(jcell_child(object, 0));
    int right = height(jcell_child(object, 1));
    int side = right > left;

    if (left - right <= 1 && right - left <= 1) {
        jcell_set_height(object, (left > right ? left : right) + 1);
        return object;
    }
    int child = jcell_child(object, side);
    if (height(jcell_child(child, side)) < height(jcell_child(child, !side)))
        jcell_set_child(object, side, rotate(child, !side));
    return rotate(object, side);
}

/* Balance an object if what is below it has another height than `before`. */
static int settle(int object, int before, enum change *change)
{
    if (*change != HERE_AND_ABOVE)
        return object;
    object = balance(object);
    if (jcell_load(object)->height == before)
        *change = ONLY_BELOW;
    return object;
}

static int insert(int object, int key, enum change *change)
{
    if (!object) {
        *change = HERE_AND_ABOVE;
        return jcell_create(key);
    }
    const struct jcell_node *node = jcell_load(object);
    int before = node->height;
    int side = key > node->key;

    if (node->key == key)
        return object;
    jcell_set_child(object, side,
                    insert(jcell_child(object, side), key, change));
    return settle(object, before, change);
}

/* Takes the smallest object out of a subtree. */
static int take_first(int object, int *first, enum change *change)
{
    int before = jcell_load(object)->height;
    int left = jcell_child(object, 0);

    if (!left) {
        *first = object;
        *change = HERE_AND_ABOVE;
        return jcell_child(object, 1);
    }
    jcell_set_child(object, 0, take_first(left, first, change));
    return settle(object, before, change);
}

static int take(int object, enum change *change)
{
    int before = jcell_load(object)->height;
    int left = jcell_child(object, 0), right = jcell_child(object, 1);
    int next;

    *change = HERE_AND_ABOVE;
    jcell_discard(object);
    if (!left || !right)
        return left ? left : right;
    right = take_first(right, &next, change);
    jcell_set_child(next, 1, right);
    jcell_set_child(next, 0, left);
    if (*change == ONLY_BELOW)
        jcell_set_height(next, before);
    return settle(next, before, change);
}

static int delete(int object, int key, enum change *change)
{
    if (!object)
        return 0;
    const struct jcell_node *node = jcell_load(object);
    int before = node->height;
    int side = key > node->key;

    if (node->key == key)
        return take(object, change);
    jcell_set_child(object, side,
                    delete(jcell_child(object, side), key, change));
    return settle(object, before, change);
}

bool jcell_avl_insert(int key)
{
    enum change change = NONE;

    jcell_set_root(insert(jcell_root(), key, &change));
    return change != NONE;
}

bool jcell_avl_delete(int key)
{
    enum change change = NONE;

    jcell_set_root(delete(jcell_root(), key, &change));
    return change != NONE;
}
