/*
 * jcell_tree.h: search trees whose nodes are shared objects.
 *
 * The trees know nothing of versions, messages or caches: each access to an
 * object goes through the four functions below, which the program (the
 * simulation, the runtime on the chip) supplies. Object 0 does not exist.
 */
#ifndef JCELL_TREE_H
#define JCELL_TREE_H

#include <stdbool.h>

struct jcell_node {
    short left, right, parent;
    short key;
    short height; /* AVL: of the subtree; red-black: 1 if red */
};

/* The object for reading; for writing. */
const struct jcell_node *jcell_load(int object);
struct jcell_node *jcell_store(int object);
/* The object of a new key, which is written. */
int jcell_create(int key);
/* Called when the object is no longer part of the tree. */
void jcell_discard(int object);
/* Moves a key to the place of `object`: the key's old object now stands where
 * another one stood, and is written. */
void jcell_rename(int object, int key);
/* The object that holds the tree's root (in `left`). */
int jcell_header(void);

/* Insert or delete a key; true if the tree has changed. */
bool jcell_avl_insert(int key);
bool jcell_avl_delete(int key);
bool jcell_red_black_insert(int key);
bool jcell_red_black_delete(int key);

/* For both kinds of trees: links by side, 0 left and 1 right. Setters store
 * only values that differ. */
int jcell_child(int object, int side);
void jcell_set_child(int object, int side, int child);
void jcell_set_height(int object, int height);
int jcell_root(void);
void jcell_set_root(int object);

#endif
