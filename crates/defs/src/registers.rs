//! Every register outside the cores, generated from `machine/registers/*.toml`.
//!
//! One module of constants for each block and register (masks, shifts, reset values), and
//! [`BLOCKS`], the same as a table for listings and checks. The guest's
//! `guest/scc/include/scc/registers.h` comes from the same tables.

/// One block of registers.
#[derive(Clone, Copy, Debug)]
pub struct Block {
    pub name: &'static str,
    pub title: &'static str,
    /// Keys of `docs/sources.bib`.
    pub source: &'static [&'static str],
    pub registers: &'static [Register],
}

/// One register, or a row of `count` equal ones, `stride` bytes apart.
#[derive(Clone, Copy, Debug)]
pub struct Register {
    pub name: &'static str,
    pub title: &'static str,
    pub offset: u32,
    pub stride: u32,
    pub count: u32,
    pub width: u32,
    pub access: &'static str,
    pub reset: u64,
    /// `modelled`, `stored` (keeps what is written, has no effect) or `ignored`.
    pub status: &'static str,
    pub fields: &'static [Field],
}

/// A run of bits of a register.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    pub name: &'static str,
    pub title: &'static str,
    pub lsb: u32,
    pub bits: u32,
    pub access: &'static str,
    pub status: &'static str,
}

include!(concat!(env!("OUT_DIR"), "/registers.rs"));

#[cfg(test)]
mod tests {
    use super::*;

    /// The committed header is what the tables give; `RCK_BLESS=1` rewrites it.
    #[test]
    fn the_guest_header_is_current() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../guest/scc/include/scc/registers.h");
        let generated = include_str!(concat!(env!("OUT_DIR"), "/registers.h"));
        if std::env::var_os("RCK_BLESS").is_some() {
            std::fs::write(path, generated).unwrap();
        }
        let committed = std::fs::read_to_string(path).unwrap();
        assert!(committed == generated, "stale: RCK_BLESS=1 cargo test -p rockcreek-defs");
    }

    #[test]
    fn masks_follow_the_tables() {
        assert_eq!(crb::gcbcfg::DIVIDER, 0xF00);
        assert_eq!(crb::glcfg::WRITABLE, 0xFFF);
        assert_eq!(crb::gcbcfg::RESET, 0x00A8_E2FF);
        assert!(BLOCKS.iter().any(|block| block.name == "vrc"));
    }
}
