/* access.c: the links of an object; what does not change is not written. */
#include "jcell_tree.h"

int jcell_child(int object, int side)
{
    const struct jcell_node *node = jcell_load(object);

    return side ? node->right : node->left;
}

void jcell_set_child(int object, int side, int child)
{
    struct jcell_node *node;

    if (jcell_child(object, side) == child)
        return;
    node = jcell_store(object);
    *(side ? &node->right : &node->left) = (short)child;
}

void jcell_set_height(int object, int height)
{
    if (jcell_load(object)->height != height)
        jcell_store(object)->height = (short)height;
}

int jcell_root(void)
{
    return jcell_child(jcell_header(), 0);
}

void jcell_set_root(int object)
{
    jcell_set_child(jcell_header(), 0, object);
}
