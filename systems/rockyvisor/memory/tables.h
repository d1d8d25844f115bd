/* tables.h: shadow page tables, as shadow.c and walk.c share them. */
#ifndef ROCKYVISOR_TABLES_H
#define ROCKYVISOR_TABLES_H

#include "visor.h"

#define GUEST_PAGES (GUEST_MAX / PAGE)
/* The tables for a guest that has not switched paging on: their numbers follow
 * those of the guest's pages. */
#define FLAT_PAGE(n) (GUEST_PAGES + (n))
#define FLAT_ROOT (GUEST_PAGES + 1024)
#define TABLE_KEYS (FLAT_ROOT + 1)

enum level { TABLE, ROOT, LEVELS };

/* The guest's page directory entry and page table entry for an address, and
 * their places. */
struct walked {
    u32 directory, directory_entry; /* keys, and entries */
    u32 table, entry;
};

struct shadow {
    u32 key;
    enum level level;
    bool tracked; /* the guest's table cannot be written unnoticed */
    u32 used;     /* entries */
    u32 *entries;
    u32 *links; /* next entry for the page */
    u32 *pages; /* the guest's page of each entry */
};

bool walk(struct vcpu *v, u32 address, u32 *error, struct walked *walked);
void shadow_drop_tables(u32 page);
void shadow_clear_around(u32 page, u32 index);
bool may_write_once(struct vcpu *v, u32 page, u32 address,
                    const struct walked *w);

#endif
