/*
 * coll_bcast.c: one-sided broadcast down a tree, as OC-Bcast (petrovic-oc):
 * a member fetches from the MPB of its parent into its own, notifies its
 * children, lets the parent go on, and then takes its copy. Pieces alternate
 * between two halves of the buffer, so levels of the tree work at the same
 * time.
 */
#include "collectives_lib.h"

/* 1 + 7 + 49 members are within two steps of the root. */
#define ARITY 7
/* Long enough to hide the signals, short enough to keep levels busy. */
#define PIECE_MAX 1024u

struct node {
    const struct rcce_group *group;
    int root, place; /* place 0 is the root */
    int first, last; /* children's places: first .. last - 1 */
};

static int rank_at(const struct node *node, int place)
{
    return (place + node->root) % node->group->size;
}

static void tell_children(const struct node *node)
{
    for (int child = node->first; child < node->last; child++)
        rcce_coll_signal(node->group, rank_at(node, child));
}

static void await_children(const struct node *node)
{
    for (int child = node->first; child < node->last; child++)
        rcce_coll_await(node->group, rank_at(node, child));
}

static void forward(const struct node *node, t_vcharp half, char *buffer,
                    size_t bytes)
{
    int parent = rank_at(node, (node->place - 1) / ARITY);
    int ue = node->group->member[parent];

    rcce_coll_await(node->group, parent);
    rcce_invalidate_mpb();
    if (node->first == node->last) {
        rcce_fetch(buffer, half, bytes, ue);
        rcce_coll_signal(node->group, parent);
        return;
    }
    scc_copy_lines(half, rcce_on(half, ue), coll_round(bytes));
    rcce_push_wcb();
    tell_children(node);
    rcce_coll_signal(node->group, parent);
    rcce_fetch(buffer, half, bytes, rcce_my_rank);
}

static void down_the_tree(const struct node *node, char *buffer, size_t size)
{
    size_t piece = rcce_coll_bytes / 2 & ~(size_t)(RCCE_LINE_SIZE - 1);
    size_t at = 0;
    int count = 0;

    piece = coll_min(piece, PIECE_MAX);
    for (; at < size; at += piece, count++) {
        t_vcharp half = rcce_coll_buffer + (size_t)(count % 2) * piece;
        size_t bytes = coll_min(size - at, piece);
        /* The half is free when the piece before last was fetched. */
        if (count >= 2)
            await_children(node);
        if (node->place > 0) {
            forward(node, half, buffer + at, bytes);
        } else {
            rcce_fill(half, buffer + at, bytes);
            tell_children(node);
        }
    }
    for (int left = count < 2 ? count : 2; left > 0; left--)
        await_children(node);
}

int rcce_coll_bcast(char *buffer, size_t bytes, int root,
                    const struct rcce_group *group)
{
    int size = group->size;
    int error = rcce_coll_check(group, root, bytes, buffer, buffer);

    if (!error && root < 0)
        error = RCCE_ERROR_ID;
    if (!error &&
        RCCE_coll_choose(RCCE_COLL_BCAST, size, bytes) == RCCE_COLL_SIMPLE)
        error = rcce_coll_simple_bcast(buffer, bytes, root, group);
    else if (!error) {
        struct node node = {group, root, (group->rank - root + size) % size, 0,
                            0};
        node.first = node.place * ARITY + 1;
        node.last = node.first + ARITY < size ? node.first + ARITY : size;
        if (node.first > node.last)
            node.first = node.last;
        down_the_tree(&node, buffer, bytes);
    }
    return error ? rcce_fail(rcce_debug_comm, error) : RCCE_SUCCESS;
}
