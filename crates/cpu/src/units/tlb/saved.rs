//! The saved form of a TLB: a list for each property of its sets.

use serde::{Deserialize, Serialize};

use super::{Entry, MOST_WAYS, Tlb, Use};

#[derive(Serialize, Deserialize)]
#[serde(rename = "Tlb")]
pub(crate) struct SavedTlb {
    ways: u32,
    set_mask: u32,
    pages: Vec<u32>,
    entries: Vec<Entry>,
    trees: Vec<u32>,
    recent_page: Vec<u32>,
    recent_index: Vec<u32>,
}

impl From<Tlb> for SavedTlb {
    fn from(tlb: Tlb) -> SavedTlb {
        let of_sets = |what: fn(&Use) -> u32| tlb.uses.iter().map(what).collect();
        SavedTlb {
            ways: tlb.ways,
            set_mask: tlb.set_mask,
            trees: of_sets(|set| set.tree),
            recent_page: of_sets(|set| set.page),
            recent_index: of_sets(|set| set.index),
            pages: tlb.pages,
            entries: tlb.entries,
        }
    }
}

impl TryFrom<SavedTlb> for Tlb {
    type Error = String;

    fn try_from(saved: SavedTlb) -> Result<Tlb, String> {
        let SavedTlb { ways, set_mask, .. } = saved;
        let entries = saved.pages.len() as u32;
        let sets = u64::from(set_mask) + 1;
        let shaped = ways.is_power_of_two()
            && ways as usize <= MOST_WAYS
            && sets.is_power_of_two()
            && sets * u64::from(ways) == u64::from(entries)
            && saved.entries.len() == saved.pages.len();
        let of_sets = [&saved.trees, &saved.recent_page, &saved.recent_index];
        if !shaped || of_sets.iter().any(|of| of.len() as u64 != sets) {
            return Err("a TLB's contents do not fit its shape".to_owned());
        }
        let mut tlb = Tlb::new(entries, ways);
        for (set, at) in tlb.uses.iter_mut().enumerate() {
            (at.tree, at.page) = (saved.trees[set], saved.recent_page[set]);
            at.index = saved.recent_index[set];
        }
        (tlb.pages, tlb.entries) = (saved.pages, saved.entries);
        Ok(tlb)
    }
}

#[cfg(test)]
mod tests {
    use rockcreek_cache::MemoryType;

    use super::*;

    #[test]
    fn what_is_saved_comes_back() {
        let mut tlb = Tlb::new(8, 4);
        for page in [3, 4, 5, 9, 3] {
            tlb.fill(
                page,
                Entry { frame: page << 12, permit: 1, memory_type: MemoryType::WriteBack },
            );
        }
        let back = Tlb::try_from(SavedTlb::from(tlb.clone())).unwrap();
        assert!(back.holds_the_same(&tlb) && back.recent(3).is_some());
    }

    #[test]
    fn lists_of_another_length_are_refused() {
        let saved = || SavedTlb::from(Tlb::new(8, 4));
        let refused = |saved: SavedTlb| Tlb::try_from(saved).is_err();
        assert!(!refused(saved()));
        assert!(refused(SavedTlb { ways: 0, ..saved() }));
        assert!(refused(SavedTlb { ways: 8, ..saved() }));
        assert!(refused(SavedTlb { set_mask: 2, ..saved() }));
        assert!(refused(SavedTlb { trees: Vec::new(), ..saved() }));
        assert!(refused(SavedTlb { entries: Vec::new(), ..saved() }));
    }
}
