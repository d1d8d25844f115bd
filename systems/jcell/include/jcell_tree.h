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

/* An object is read; written. */
const struct jcell_node *jcell_load(int object);
struct jcell_node *jcell_store(int object);
/* The object that a new key gets: it is written. */
int jcell_create(int key);
/* The object is not part of the tree any more. */
void jcell_discard(int object);
/* The place `object` holds this key now: what was the object of the key
 * stands where another one stood, and is written. */
void jcell_rename(int object, int key);
/* The object that holds the tree's root (in `left`). */
int jcell_header(void);

/* Whether the tree has changed. */
bool jcell_avl_insert(int key);
bool jcell_avl_delete(int key);
bool jcell_red_black_insert(int key);
bool jcell_red_black_delete(int key);

/* For both: links by side, 0 left and 1 right; a store only of what differs. */
int jcell_child(int object, int side);
void jcell_set_child(int object, int side, int child);
void jcell_set_height(int object, int height);
int jcell_root(void);
void jcell_set_root(int object);

#endif
