//! The errors of an image, with texts that say how to correct them.

/// An image that cannot be started.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ImageError {
    #[error("not an ELF file; the cores boot static 32-bit x86 ELF images")]
    NotElf,
    #[error("an ELF file for {0}, but the cores are 32-bit x86 (i586); build it for i386")]
    WrongMachine(String),
    #[error("not an executable but {0}; link it to an executable first")]
    NotExecutable(&'static str),
    #[error("dynamically linked; there is no dynamic linker on the cores, link with -static")]
    Dynamic,
    #[error("truncated: {part} should end at byte {end} of the file, which has {length}")]
    Truncated { part: String, end: u64, length: u64 },
    #[error("segments {first} and {second} overlap in memory at {address:#010x}")]
    Overlap { first: usize, second: usize, address: u32 },
    #[error(
        "segment {segment} at {start:#010x} to {end:#010x} is outside the private memory of \
         {memory:#x} bytes"
    )]
    OutsideMemory { segment: usize, start: u64, end: u64, memory: u64 },
    #[error("has nothing to load")]
    Empty,
    #[error("entry point {0:#010x} is in no loaded segment")]
    Entry(u32),
    #[error("no multiboot header in its first 8 KB")]
    NoMultibootHeader,
    #[error("the multiboot header asks for features {0:#x} that this loader does not have")]
    Features(u32),
    #[error("{what} needs {bytes} bytes, and {free} of the private memory are free")]
    TooLarge { what: String, bytes: u64, free: u64 },
    #[error("core-physical address {0:#010x} is no memory in this core's LUT")]
    NoMemory(u32),
}
