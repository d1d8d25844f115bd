//! Decoded instructions, shared by all cores on one host thread.
//!
//! A *version* is the content of one 32-byte line at one physical address; equal addresses and
//! bytes have equal ids. L1I keeps the id beside each line, so code is decoded once however many
//! cores run it, and a changed line simply has another version: stores need not be watched. A
//! *block* is the run of instructions that begin in one line from one offset on, up to the first
//! control transfer. An instruction that spans two lines is a block of its own, keyed by both
//! versions.
//!
//! L1I and ITLB are looked up in program order each time execution enters a line. `Fetched`
//! remembers, for each L1I set, the line looked up last: looking it up again would change nothing.

use std::sync::atomic::{AtomicU64, Ordering};

use iced_x86::Code;
use rockcreek_defs::{CoreAddr, LINE_BYTES};
use rustc_hash::FxHashMap;

use crate::execute::op::Op;
use crate::frontend::decode::{self, Decoded};
use crate::observe::host_profile::Profile;
use crate::state::fetched_lines::VersionId;
use crate::timing::pairing::Pipe;
use crate::timing::pipeline::{self, BlockTiming};

/// The largest number of versions held (4 MB of code); beyond it all code is dropped and decoded
/// anew. A version with its host code takes some 2 KB, so a program that generates code for ever
/// makes the memory rise and fall by 0.3 GB.
const MAX_VERSIONS: usize = 1 << 17;
const LINE: u32 = LINE_BYTES as u32;
/// The next generation number to give out. A generation identifies one code cache's set of
/// versions; a core starts with 0, which no code cache has.
static GENERATIONS: AtomicU64 = AtomicU64::new(1);

/// The number of a block (a run of instructions in one line) in its code cache.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Block(u32);

/// A block: the index in `ops` of its first instruction, the number of instructions, and the
/// block's timing (the states of the pipes before and after it). The clocks of each instruction are
/// in `ops`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BlockInfo {
    first: u32,
    count: u32,
    pub timing: BlockTiming,
}

/// What the code cache knows of the code that starts at one offset of a version (the bytes of a
/// line).
#[derive(Clone, Copy, Debug, Default)]
enum Start {
    #[default]
    Unknown,
    Block(Block),
    /// The instruction spans into the next line.
    Straddles,
}

/// A line's address and bytes. They are apart from [`Version`], because they are read each time a
/// line comes into L1I.
#[derive(Clone, Debug)]
struct Text {
    line: CoreAddr,
    bytes: [u8; LINE_BYTES],
}

#[derive(Clone, Debug)]
struct Version {
    /// For each offset in the line, what is known of the 32-bit code that starts there.
    starts: [Start; LINE_BYTES],
    /// The last instruction found in 32-bit code that continues in the next line: the version of
    /// that next line, the instruction's offset, and its block. Two such instructions may begin in
    /// one line: a jump behind a prefix enters the second.
    straddle: (VersionId, u8, Block),
}

/// The key of a start in 16-bit code, or of an instruction that spans two lines: version of the
/// line, version of the next line or 0, offset in the line, and true for 32-bit code.
type Key = (VersionId, VersionId, u8, bool);

/// The decoded code of the cores on one host thread.
#[derive(Debug)]
pub struct DecodedCode {
    /// `texts`, `versions`: what each version is, and what is known of its code.
    texts: Vec<Text>,
    versions: Vec<Version>,
    ids: FxHashMap<(CoreAddr, [u8; LINE_BYTES]), VersionId>,
    others: FxHashMap<Key, Start>,
    blocks: Vec<BlockInfo>,
    ops: Vec<Op>,
    /// For each of `ops`, the properties that decide how it pairs and what it costs.
    pipes: Vec<Pipe>,
    codes: Vec<Code>,
    /// The number of this set of versions; no other code cache of this process has it.
    generation: u64,
    /// Counts of executed instructions; `None` if the user asked for none.
    pub(crate) profile: Option<Box<Profile>>,
}

impl Default for DecodedCode {
    fn default() -> DecodedCode {
        DecodedCode {
            texts: vec![Text { line: CoreAddr(0), bytes: [0; LINE_BYTES] }],
            versions: vec![Version::unknown()],
            ids: FxHashMap::default(),
            others: FxHashMap::default(),
            blocks: Vec::new(),
            ops: Vec::new(),
            pipes: Vec::new(),
            codes: Vec::new(),
            generation: GENERATIONS.fetch_add(1, Ordering::Relaxed),
            profile: None,
        }
    }
}

impl DecodedCode {
    pub(crate) fn generation(&self) -> u64 {
        self.generation
    }

    /// True if so many versions are held that `run` should drop all code before it continues.
    pub(crate) fn is_full(&self) -> bool {
        self.versions.len() >= MAX_VERSIONS
    }

    /// Counts the first `count` instructions of a block, which the interpreter has executed.
    #[inline(always)]
    pub(crate) fn note_interpreted(&mut self, block: Block, count: usize) {
        let Some(profile) = &mut self.profile else { return };
        let first = self.blocks[block.0 as usize].first as usize;
        for code in &self.codes[first..first + count] {
            profile.interpreted[*code as usize] += 1;
        }
    }

    /// The 32 bytes of code that `version` stands for.
    pub(crate) fn bytes(&self, version: VersionId) -> &[u8; LINE_BYTES] {
        &self.texts[version as usize].bytes
    }

    /// The id of the version with these bytes at this address; makes a new one if there is none.
    pub(crate) fn version(&mut self, line: CoreAddr, bytes: &[u8; LINE_BYTES]) -> VersionId {
        let next = self.versions.len() as VersionId;
        let id = *self.ids.entry((line, *bytes)).or_insert(next);
        if id == next {
            self.texts.push(Text { line, bytes: *bytes });
            self.versions.push(Version::unknown());
        }
        id
    }

    /// True if `version` is the id of these bytes at this physical address.
    pub(crate) fn is_version(
        &self,
        version: VersionId,
        line: CoreAddr,
        bytes: &[u8; LINE_BYTES],
    ) -> bool {
        let held = &self.texts[version as usize];
        held.line == line && held.bytes == *bytes
    }

    /// The block that starts at `offset` of a version; `None` if the instruction there spans two
    /// lines. `big`: true for 32-bit code.
    #[inline]
    pub(crate) fn block(&mut self, version: VersionId, offset: u32, big: bool) -> Option<Block> {
        if big {
            match self.versions[version as usize].starts[(offset % LINE) as usize] {
                Start::Block(block) => return Some(block),
                Start::Straddles => return None,
                Start::Unknown => {}
            }
        }
        self.decode_at(version, offset, big)
    }

    #[cold]
    fn decode_at(&mut self, version: VersionId, offset: u32, big: bool) -> Option<Block> {
        let key = (version, 0, offset as u8, big);
        let start = match self.others.get(&key) {
            Some(start) if !big => *start,
            _ => {
                let bytes = *self.bytes(version);
                self.decode_line(&bytes[offset as usize..], big)
            }
        };
        if big {
            self.versions[version as usize].starts[offset as usize] = start;
        } else {
            self.others.insert(key, start);
        }
        match start {
            Start::Block(block) => Some(block),
            _ => None,
        }
    }

    fn decode_line(&mut self, mut bytes: &[u8], big: bool) -> Start {
        let first = self.ops.len();
        while !bytes.is_empty() {
            match decode::decode(bytes, big) {
                Decoded::Incomplete => break,
                Decoded::Op { begins_block: true, .. } if self.ops.len() > first => break,
                Decoded::Op { op, code, pipe, ends_block, .. } => {
                    self.ops.push(op);
                    self.codes.push(code);
                    self.pipes.push(pipe);
                    bytes = &bytes[usize::from(op.length)..];
                    if ends_block {
                        break;
                    }
                }
            }
        }
        if self.ops.len() == first { Start::Straddles } else { Start::Block(self.finish(first)) }
    }

    /// Makes a block of the instructions in `ops` from number `first` on.
    fn finish(&mut self, first: usize) -> Block {
        let ops = &mut self.ops[first..];
        let timing = pipeline::schedule(&self.pipes[first..], |i, slot| ops[i].schedule(slot));
        let count = (self.ops.len() - first) as u32;
        self.blocks.push(BlockInfo { first: first as u32, count, timing });
        Block(self.blocks.len() as u32 - 1)
    }

    /// The block that consists of the one instruction that begins at `offset` of `version` and ends
    /// in the next line, whose version is `next`. `big`: true for 32-bit code.
    pub(crate) fn straddling(
        &mut self,
        version: VersionId,
        next: VersionId,
        offset: u32,
        big: bool,
    ) -> Block {
        let held = self.versions[version as usize].straddle;
        if big && (held.0, held.1) == (next, offset as u8) {
            return held.2;
        }
        let key = (version, next, offset as u8, big);
        let block = match self.others.get(&key) {
            Some(Start::Block(block)) => *block,
            _ => self.decode_straddling(version, next, offset, big),
        };
        self.others.insert(key, Start::Block(block));
        if big {
            self.versions[version as usize].straddle = (next, offset as u8, block);
        }
        block
    }

    fn decode_straddling(
        &mut self,
        version: VersionId,
        next: VersionId,
        offset: u32,
        big: bool,
    ) -> Block {
        let mut bytes = [0; 2 * LINE_BYTES];
        bytes[..LINE_BYTES].copy_from_slice(self.bytes(version));
        bytes[LINE_BYTES..].copy_from_slice(self.bytes(next));
        let Decoded::Op { op, code, pipe, .. } = decode::decode(&bytes[offset as usize..], big)
        else {
            unreachable!("an instruction is at most 15 bytes long");
        };
        self.ops.push(op);
        self.codes.push(code);
        self.pipes.push(pipe);
        self.finish(self.ops.len() - 1)
    }

    #[inline]
    pub(crate) fn info(&self, block: Block) -> &BlockInfo {
        &self.blocks[block.0 as usize]
    }

    #[inline]
    pub(crate) fn ops(&self, info: &BlockInfo) -> &[Op] {
        &self.ops[info.first as usize..(info.first + info.count) as usize]
    }

    pub(crate) fn pipes(&self, info: &BlockInfo) -> &[Pipe] {
        &self.pipes[info.first as usize..(info.first + info.count) as usize]
    }
}

impl Version {
    fn unknown() -> Version {
        Version { starts: [Start::Unknown; LINE_BYTES], straddle: (0, 0, Block(0)) }
    }
}
