/*
 * jcell_tree.h: search trees whose nodes are shared objects.
 *
 * The trees do not depend on versions, messages or caches: each access to an
 * object goes through the functions below, which the program (the simulation,
 * the runtime on the chip) supplies. Object 0 does not exist.
 */
#ifndef JCELL_TREE_H
#define JCELL_TREE_H

#include <stdbool.h>

struct jcell_node {
    short left, right, parent;
    short key;
    short height; /* AVL: height; red-black: 1 if red */
};

/* Returns the object for reading (jcell_load), or for reading and writing
 * (jcell_store); valid until the transaction's end. */
const struct jcell_node *jcell_load(int object);
struct jcell_node *jcell_store(int object);
/* Creates an object for a new key, without links and of height 1, and returns
 * its number. */
int jcell_create(int key);
/* Called when the object has left the tree. */
void jcell_discard(int object);
/* Moves a key to the position of `object`: the key's object takes the place of
 * another object in the tree, and is written. */
void jcell_rename(int object, int key);
/* The object whose field `left` is the root of the tree. */
int jcell_header(void);

/* Insert a key, or delete it; return true if the tree has changed, false if the
 * key was there already, or was not there. */
bool jcell_avl_insert(int key);
bool jcell_avl_delete(int key);
bool jcell_red_black_insert(int key);
bool jcell_red_black_delete(int key);

/* For both kinds of trees: children by side, 0 left and 1 right; 0: no child.
 * The setters store only values that differ from the present ones. */
int jcell_child(int object, int side);
void jcell_set_child(int object, int side, int child);
void jcell_set_height(int object, int height);
int jcell_root(void);
void jcell_set_root(int object);

#endif
