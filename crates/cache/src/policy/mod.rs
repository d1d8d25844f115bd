//! The rules of the caches: one row for each memory type, and the policies that the chip
//! description chooses.
//!
//! The ordinary path (`hierarchy.rs`, `data_path.rs`, `locked.rs`, `code_path.rs`), the accesses in
//! place and the core's paging use this table. Translated code looks up lines itself only where
//! [`HostLookup`] permits, and sends a store that misses only where [`StoreMiss`] permits. A new
//! memory type is a new row; a new behaviour is a new value of a column.

pub mod config;
pub mod replacement;
pub mod set_state;
pub mod true_lru;

use serde::{Deserialize, Serialize};

/// The memory type of an access. It follows from the page's PCD, PWT and PMB bits and from CR0.CD.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum MemoryType {
    WriteBack,
    WriteThrough,
    /// The access bypasses all caches in both directions. No cache is searched for a hit (a choice:
    /// no source describes it).
    Uncached,
    /// The message-passing buffer type. `write_through`: the page's PWT bit; if it is set, a store
    /// that hits L1D goes on to the write-combine buffer.
    Mpbt {
        write_through: bool,
    },
    /// The defective combination of PCD (uncached) and PMB (MPBT).
    UncachedMpbt,
    /// The chip description's alternative to `UncachedMpbt`: write-back in L1D, bypassing L2.
    L1Only,
}

/// What happens at a read that L1D does not serve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadMiss {
    /// The line comes from L2, or from memory into L2 and L1D.
    ThroughL2,
    /// The line comes from memory into L1D only.
    L1Alone,
    /// The line comes from memory into L1D only, with the MB tag.
    MessageLine,
    /// The bytes come from memory and no cache stores them.
    Bytes,
    /// The read returns bytes 0 to 7 of the line, four times over.
    FirstBytes,
}

/// Where a store goes that L1D does not take, or that is written through L1D.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StoreBeyond {
    /// L2, if it has the line; otherwise [`StoreMiss`] decides.
    L2,
    /// Memory; the store is posted, so the core does not wait.
    Memory,
    /// The write-combine buffer.
    Combine,
    /// Memory; the core waits for the store.
    Device,
}

/// The caches in which translated code may look up a page's lines itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HostLookup {
    /// None: translated code uses only lines that were opened for it; the ordinary path does the
    /// rest.
    Nothing,
    /// L1D and L2: translated code searches both.
    Lines,
    /// L1D lines with the MB tag, and the write-combine buffer.
    MessageLines,
}

/// The rules of one memory type: which caches serve it, and where its misses go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TypeRules {
    /// True if reads and writes search L1D.
    pub in_l1d: bool,
    /// True if a store that hits L1D ends there (write-back); false if it also goes to the next
    /// level (write-through).
    pub writes_back: bool,
    pub read_miss: ReadMiss,
    pub store_beyond: StoreBeyond,
    /// True if L2 serves locked accesses.
    pub in_l2: bool,
    /// True if L1I stores code of this type.
    pub in_l1i: bool,
    pub host_lookup: HostLookup,
}

impl MemoryType {
    /// What the caches do with an access to a page of this memory type.
    #[inline(always)]
    pub const fn rules(self) -> TypeRules {
        let write_back = TypeRules {
            in_l1d: true,
            writes_back: true,
            read_miss: ReadMiss::ThroughL2,
            store_beyond: StoreBeyond::L2,
            in_l2: true,
            in_l1i: true,
            host_lookup: HostLookup::Lines,
        };
        let uncached = TypeRules {
            in_l1d: false,
            writes_back: false,
            read_miss: ReadMiss::Bytes,
            store_beyond: StoreBeyond::Device,
            in_l2: false,
            in_l1i: false,
            host_lookup: HostLookup::Nothing,
        };
        match self {
            MemoryType::WriteBack => write_back,
            MemoryType::WriteThrough => {
                TypeRules { writes_back: false, host_lookup: HostLookup::Nothing, ..write_back }
            }
            MemoryType::Uncached => uncached,
            MemoryType::Mpbt { write_through } => TypeRules {
                in_l1d: true,
                writes_back: !write_through,
                read_miss: ReadMiss::MessageLine,
                store_beyond: StoreBeyond::Combine,
                host_lookup: HostLookup::MessageLines,
                ..uncached
            },
            MemoryType::UncachedMpbt => TypeRules {
                read_miss: ReadMiss::FirstBytes,
                store_beyond: StoreBeyond::Combine,
                ..uncached
            },
            MemoryType::L1Only => TypeRules {
                in_l1d: true,
                writes_back: true,
                read_miss: ReadMiss::L1Alone,
                store_beyond: StoreBeyond::Memory,
                ..uncached
            },
        }
    }
}

/// L2's policy for a store to a line that it does not have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum StoreMiss {
    /// The store bypasses L2, and no line is fetched. The SCC does this.
    #[default]
    Around,
    /// Write-allocate: L2 fetches the line, then takes the store.
    Allocate,
}

#[cfg(test)]
mod tests {
    use super::*;

    const TYPES: [MemoryType; 7] = [
        MemoryType::WriteBack,
        MemoryType::WriteThrough,
        MemoryType::Uncached,
        MemoryType::Mpbt { write_through: false },
        MemoryType::Mpbt { write_through: true },
        MemoryType::UncachedMpbt,
        MemoryType::L1Only,
    ];

    /// Checks the properties that the caches' access paths assume of the rules of every memory type.
    #[test]
    fn rows_are_consistent() {
        for ty in TYPES {
            let rules = ty.rules();
            let fills_l1d = !matches!(rules.read_miss, ReadMiss::Bytes | ReadMiss::FirstBytes);
            assert_eq!(rules.in_l1d, fills_l1d, "{ty:?}: what is looked up was filled");
            assert!(rules.in_l1d || !rules.writes_back, "{ty:?}");
            let through = rules.read_miss == ReadMiss::ThroughL2;
            assert_eq!(rules.in_l2, through, "{ty:?}");
            assert_eq!(rules.in_l2, rules.store_beyond == StoreBeyond::L2, "{ty:?}");
            assert!(rules.in_l2 || !rules.in_l1i, "{ty:?}: code comes through L2");
            match rules.host_lookup {
                HostLookup::Nothing => {}
                HostLookup::Lines => assert_eq!(ty, MemoryType::WriteBack),
                HostLookup::MessageLines => {
                    assert_eq!(rules.read_miss, ReadMiss::MessageLine, "{ty:?}");
                }
            }
        }
    }
}
