//! What the caches do by rule: one row for each memory type, and what the chip description chooses.
//!
//! The ordinary path (`hierarchy.rs`, `data_path.rs`, `locked.rs`, `code_path.rs`), the accesses in
//! place and the core's paging ask this table. Generated code looks up lines itself only where
//! [`HostLookup`] lets it, and sends a store that misses only where [`StoreMiss`] lets it. Another
//! memory type is another row; another kind of answer is another value of a column.

use serde::{Deserialize, Serialize};

/// The memory type of an access, from the page's PCD, PWT and PMB bits and CR0.CD.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum MemoryType {
    WriteBack,
    WriteThrough,
    /// Past all caches, in both directions (that a hit is not looked for is a choice).
    Uncached,
    /// Message-passing buffer type; `write_through` is PWT.
    Mpbt {
        write_through: bool,
    },
    /// The broken combination of PCD and PMB.
    UncachedMpbt,
    /// What the chip description may put in its place: write-back in L1D, past L2.
    L1Only,
}

/// What a read does that L1D does not serve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadMiss {
    /// The line comes from L2, or from memory into L2 and L1D.
    ThroughL2,
    /// The line comes from memory into L1D alone.
    L1Alone,
    /// The same with the MB tag.
    MessageLine,
    /// The bytes come from memory, to no cache.
    Bytes,
    /// Bytes 0 to 7 of the line come, four times over.
    FirstBytes,
}

/// Where a store goes that L1D does not keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StoreBeyond {
    /// To L2 if that has the line; otherwise as [`StoreMiss`] says.
    L2,
    /// To memory, posted.
    Memory,
    /// To the write-combine buffer.
    Combine,
    /// To memory, and the core waits for it.
    Device,
}

/// What generated code may look up of a page by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HostLookup {
    /// Nothing but a line that has been opened for it; the ordinary path does the rest.
    Nothing,
    /// Lines of L1D and L2.
    Lines,
    /// Lines with the MB tag, and the write-combine buffer.
    MessageLines,
}

/// A row of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TypeRules {
    /// L1D is looked up.
    pub in_l1d: bool,
    /// A store stays in the line of L1D that it finds; otherwise it goes on from there.
    pub writes_back: bool,
    pub read_miss: ReadMiss,
    pub store_beyond: StoreBeyond,
    /// Locked accesses are L2's.
    pub in_l2: bool,
    /// L1I keeps code of it.
    pub in_l1i: bool,
    pub host_lookup: HostLookup,
}

impl MemoryType {
    /// The table.
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

/// What L2 does with a store to a line that it does not have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum StoreMiss {
    /// The store goes around L2; no line is fetched for it. This is the SCC.
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

    /// What the paths take for granted of any row.
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
