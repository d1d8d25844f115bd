//! Decoded instructions, shared by all cores of a chip.
//!
//! A *version* is the content of one 32-byte line at one physical address; same address and
//! bytes, same id. L1I keeps the id beside each line, so code is decoded once however many
//! cores run it, and a line that somebody changed simply has another version: nothing watches
//! stores. A *block* is the run of instructions that begin in one line from one offset on, up
//! to the first control transfer. An instruction that straddles two lines is a block of its
//! own, keyed by both versions.
//!
//! L1I and ITLB are looked up in program order each time execution enters a line; `Fetched`
//! remembers, per L1I set, the line looked up last, for which looking again changes nothing.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};

use iced_x86::Code;
use rockcreek_defs::{CoreAddr, LINE_BYTES};
use rustc_hash::FxHashMap;

use crate::frontend::decode::{self, Decoded};
use crate::frontend::op::Op;
use crate::observe::host_profile::{Profile, ProfileReport};
use crate::timing::pairing::Pipe;
use crate::timing::pipeline::{self, BlockTiming};

/// Versions held at most; then everything is decoded anew.
const MAX_VERSIONS: usize = 1 << 18;
const LINE: u32 = LINE_BYTES as u32;
/// The next generation; a core begins with 0, which is none.
static GENERATIONS: AtomicU64 = AtomicU64::new(1);

/// The id of a version; 0 is none.
pub(crate) type VersionId = u32;

/// The number of a block.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Block(u32);

/// A block: where its instructions are, and what they cost together.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BlockInfo {
    first: u32,
    count: u32,
    pub timing: BlockTiming,
}

/// What begins at an offset of a version.
#[derive(Clone, Copy, Debug, Default)]
enum Start {
    #[default]
    Unknown,
    Block(Block),
    /// The instruction needs the next line too.
    Straddles,
}

#[derive(Clone, Debug)]
struct Version {
    #[cfg_attr(not(target_arch = "x86_64"), expect(dead_code, reason = "translated code asks"))]
    line: CoreAddr,
    bytes: [u8; LINE_BYTES],
    /// By offset, for 32-bit code.
    starts: [Start; LINE_BYTES],
    /// The straddling instruction found last: the next line's version and its block.
    straddle: (VersionId, Block),
}

/// A decoded straddling or 16-bit start: (version, next version or 0, offset, 32-bit code).
type Key = (VersionId, VersionId, u8, bool);

/// The decoded code of a chip.
#[derive(Debug)]
pub struct CodeCache {
    versions: Vec<Version>,
    ids: FxHashMap<(CoreAddr, [u8; LINE_BYTES]), VersionId>,
    others: FxHashMap<Key, Start>,
    blocks: Vec<BlockInfo>,
    ops: Vec<Op>,
    /// For each of `ops`.
    pipes: Vec<Pipe>,
    codes: Vec<Code>,
    /// Of the versions: no other versions ever have the same, in whatever cache.
    generation: u64,
    /// Linear addresses of instructions that are never translated: an observer looks at them.
    untranslated: BTreeSet<u32>,
    /// How often code is interpreted before it is translated.
    heat: Option<u8>,
    profile: Option<Box<Profile>>,
    /// Host code of what is hot; `None` where it is switched off.
    #[cfg(target_arch = "x86_64")]
    pub(crate) translations: Option<crate::translator::Translations>,
}

/// A copy knows nothing yet but which code is translated, when, and whether it is counted.
impl Clone for CodeCache {
    fn clone(&self) -> CodeCache {
        let untranslated = self.untranslated.clone();
        let mut fresh = CodeCache { untranslated, ..CodeCache::new() };
        fresh.heat = self.heat;
        fresh.set_profiling(self.profile.is_some());
        fresh
    }
}

impl Default for CodeCache {
    fn default() -> CodeCache {
        CodeCache::new()
    }
}

impl CodeCache {
    /// Times that a block is interpreted before its region is translated, if nobody says otherwise.
    /// To translate one costs the host as much as to interpret it some hundreds of times.
    pub const HOT: u8 = 100;

    pub fn new() -> CodeCache {
        CodeCache {
            versions: vec![Version::of(CoreAddr(0), [0; LINE_BYTES])],
            ids: FxHashMap::default(),
            others: FxHashMap::default(),
            blocks: Vec::new(),
            ops: Vec::new(),
            pipes: Vec::new(),
            codes: Vec::new(),
            generation: GENERATIONS.fetch_add(1, Ordering::Relaxed),
            untranslated: BTreeSet::new(),
            heat: Some(CodeCache::HOT),
            profile: None,
            #[cfg(target_arch = "x86_64")]
            translations: crate::translator::Translations::new(CodeCache::HOT, None),
        }
    }

    pub(crate) fn generation(&self) -> u64 {
        self.generation
    }

    /// True when `run` should drop everything before it goes on.
    pub(crate) fn is_full(&self) -> bool {
        self.versions.len() >= MAX_VERSIONS
    }

    pub(crate) fn clear(&mut self) {
        let profile = self.profile.take();
        *self = self.clone();
        self.profile = profile;
        self.set_translation(self.heat);
    }

    /// Counts from now on where instructions are executed; what was translated is translated anew.
    pub fn set_profiling(&mut self, on: bool) {
        // The code that counts goes before its counts do.
        #[cfg(target_arch = "x86_64")]
        {
            self.translations = None;
        }
        self.profile = on.then(Box::default);
        self.set_translation(self.heat);
    }

    /// Adds what was counted to a report.
    pub fn report(&self, report: &mut ProfileReport) {
        if let Some(profile) = &self.profile {
            profile.add_to(report);
        }
    }

    /// Translated code was left; unless it is `unfinished`, every instruction it began was
    /// executed.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    pub(crate) fn note_stay(&mut self, unfinished: bool) {
        let Some(profile) = &mut self.profile else { return };
        profile.stays += 1;
        profile.unfinished += u64::from(unfinished);
    }

    /// An instruction that waited within translated code has been executed there.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    pub(crate) fn note_resumption(&mut self) {
        if let Some(profile) = &mut self.profile {
            profile.unfinished -= 1;
        }
    }

    /// A region has become so many bytes of host code, or was not worth it.
    #[cfg(target_arch = "x86_64")]
    pub(crate) fn note_translation(&mut self, bytes: Option<usize>) {
        let Some(profile) = &mut self.profile else { return };
        profile.regions += u64::from(bytes.is_some());
        profile.refused += u64::from(bytes.is_none());
        profile.code_bytes += bytes.unwrap_or(0) as u64;
    }

    /// The interpreter has executed the first instructions of a block.
    #[inline(always)]
    pub(crate) fn note_interpreted(&mut self, block: Block, count: usize) {
        let Some(profile) = &mut self.profile else { return };
        let first = self.blocks[block.0 as usize].first as usize;
        for code in &self.codes[first..first + count] {
            profile.interpreted[*code as usize] += 1;
        }
    }

    /// Translates code when it has been interpreted `heat` times; `None`: never. No difference
    /// where there is no translator for the host.
    pub fn set_translation(&mut self, heat: Option<u8>) {
        self.heat = heat;
        #[cfg(target_arch = "x86_64")]
        {
            let profile = self.profile.as_deref_mut();
            self.translations =
                heat.and_then(|hot| crate::translator::Translations::new(hot, profile));
        }
    }

    /// Leaves the instruction at a linear address to the interpreter, for a probe there.
    pub fn leave_to_interpreter(&mut self, linear: u32) {
        if self.untranslated.insert(linear) {
            self.set_translation(self.heat);
        }
    }

    #[cfg(target_arch = "x86_64")]
    pub(crate) fn is_left_to_interpreter(&self, linear: u32) -> bool {
        self.untranslated.contains(&linear)
    }

    /// The bytes of a version.
    pub(crate) fn bytes(&self, version: VersionId) -> &[u8; LINE_BYTES] {
        &self.versions[version as usize].bytes
    }

    /// The id of these bytes at this address.
    pub(crate) fn version(&mut self, line: CoreAddr, bytes: &[u8; LINE_BYTES]) -> VersionId {
        let next = self.versions.len() as VersionId;
        let id = *self.ids.entry((line, *bytes)).or_insert(next);
        if id == next {
            self.versions.push(Version::of(line, *bytes));
        }
        id
    }

    /// Whether this is the id of these bytes at this address.
    #[cfg(target_arch = "x86_64")]
    pub(crate) fn is_version(
        &self,
        version: VersionId,
        line: CoreAddr,
        bytes: &[u8; LINE_BYTES],
    ) -> bool {
        let held = &self.versions[version as usize];
        held.line == line && held.bytes == *bytes
    }

    /// The block at `offset` of a version, or `None` if its instruction straddles.
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
                let bytes = self.versions[version as usize].bytes;
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

    /// Makes the operations from `first` on a block.
    fn finish(&mut self, first: usize) -> Block {
        let timing = pipeline::schedule(&mut self.ops[first..], &self.pipes[first..]);
        let count = (self.ops.len() - first) as u32;
        self.blocks.push(BlockInfo { first: first as u32, count, timing });
        Block(self.blocks.len() as u32 - 1)
    }

    /// The block of the one instruction that begins at `offset` and ends in the next line.
    pub(crate) fn straddling(
        &mut self,
        version: VersionId,
        next: VersionId,
        offset: u32,
        big: bool,
    ) -> Block {
        let held = self.versions[version as usize].straddle;
        if big && held.0 == next {
            return held.1;
        }
        let key = (version, next, offset as u8, big);
        let block = match self.others.get(&key) {
            Some(Start::Block(block)) => *block,
            _ => self.decode_straddling(version, next, offset, big),
        };
        self.others.insert(key, Start::Block(block));
        if big {
            self.versions[version as usize].straddle = (next, block);
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
        bytes[..LINE_BYTES].copy_from_slice(&self.versions[version as usize].bytes);
        bytes[LINE_BYTES..].copy_from_slice(&self.versions[next as usize].bytes);
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
    fn of(line: CoreAddr, bytes: [u8; LINE_BYTES]) -> Version {
        let nothing = Block(0);
        Version { line, bytes, starts: [Start::Unknown; LINE_BYTES], straddle: (0, nothing) }
    }
}

/// Sets of an L1I: its way is at most one page.
pub(crate) const CODE_SETS: usize = 128;

/// The line looked up last in each L1I set, for the privilege that looked.
#[derive(Clone, Debug)]
pub(crate) struct Fetched {
    lines: [FetchedVersion; CODE_SETS],
    set_mask: u32,
}

/// A line's tag and its version; generated code compares both at once.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
struct FetchedVersion {
    tag: u32,
    version: VersionId,
}

/// Linear line numbers are 27 bits; the bit above them is set for ring 3.
pub(crate) const USER_TAG: u32 = 1 << 27;
/// No tag.
const NOTHING: FetchedVersion = FetchedVersion { tag: u32::MAX, version: 0 };

impl Fetched {
    pub fn new(sets: u32) -> Fetched {
        assert!(sets as usize <= CODE_SETS, "an L1 way is at most one page");
        Fetched { lines: [NOTHING; CODE_SETS], set_mask: sets - 1 }
    }

    /// What `linear` is known by, and the set it is in.
    #[inline(always)]
    pub fn place(&self, linear: u32, user: bool) -> (u32, usize) {
        let line = linear / LINE;
        let tag = if user { line | USER_TAG } else { line };
        (tag, (line & self.set_mask) as usize % CODE_SETS)
    }

    #[inline(always)]
    pub fn version(&self, linear: u32, user: bool) -> Option<VersionId> {
        let (tag, set) = self.place(linear, user);
        let held = self.lines[set];
        (held.tag == tag).then_some(held.version)
    }

    pub fn set(&mut self, linear: u32, user: bool, version: VersionId) {
        let (tag, set) = self.place(linear, user);
        self.lines[set] = FetchedVersion { tag, version };
    }

    /// After anything that may change what a fetch finds.
    pub fn forget(&mut self) {
        self.lines.fill(NOTHING);
    }
}
