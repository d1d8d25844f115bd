/*
 * tree.c: who gave what to whom: one tree a page frame or a capability.
 *
 * Taking a right back takes it from all who have it through others. Trees
 * are pruned leaf by leaf, and the caller says how many leaves at most: the
 * invocation is then repeated, so interrupts are off for a bounded time.
 */
#include "kernel/kernel.h"

#define DEPTH_MAX 16 /* bounds the way down to a leaf */

s32 tree_add(struct node *parent, struct node *child)
{
    if (parent && parent->depth == DEPTH_MAX)
        return L4_NO_ROOM;
    child->parent = parent;
    child->child = child->previous = child->next = NULL;
    child->depth = parent ? parent->depth + 1 : 0;
    if (parent) {
        child->next = parent->child;
        if (child->next)
            child->next->previous = child;
        parent->child = child;
    }
    return L4_OK;
}

/* The node must be a leaf. */
void tree_remove(struct node *node)
{
    if (node->previous)
        node->previous->next = node->next;
    else if (node->parent)
        node->parent->child = node->next;
    if (node->next)
        node->next->previous = node->previous;
    node->parent = node->next = node->previous = NULL;
}

/* The new node takes the place of the old one, children and all. The number
 * of children bounds the time; each has paid for its node. */
void tree_replace(struct node *old, struct node *new)
{
    *new = *old;
    if (new->previous)
        new->previous->next = new;
    else if (new->parent)
        new->parent->child = new;
    if (new->next)
        new->next->previous = new;
    for (struct node *n = new->child; n; n = n->next)
        n->parent = new;
    *old = (struct node){0};
}

/* Drops all below the node, and the node if `self`; false: steps ran out. */
bool tree_prune(struct node *node, bool self, void (*drop)(struct node *),
                u32 *steps)
{
    struct node *at = node, *up;

    for (;;) {
        while (at->child)
            at = at->child;
        if (at == node)
            break;
        if (*steps == 0)
            return false;
        --*steps;
        up = at->parent;
        tree_remove(at);
        drop(at);
        at = up;
    }
    if (self) {
        tree_remove(node);
        drop(node);
    }
    return true;
}
