//! Snapshots: a whole chip in one file, from which it continues bit-identically.
//!
//! A file has magic, version, the hash of the chip description, lengths, a checksum, and the
//! payload: postcard in one LZ4 frame. The payload contains what the chip's state hash covers,
//! output that has not been fetched, and the front end's own state ([`Companion`]). Decoded code,
//! undo logs and windows are not saved: they follow from the state and change no result.
//!
//! Invariants: the cores are settled before saving, so a file does not depend on how far they ran
//! ahead. Nothing is decoded before the checksum agrees, and a length in a file never causes more
//! memory to be reserved than LZ4 could have packed into the file.

use std::io::{Read, Write};

use lz4_flex::frame::{FrameDecoder, FrameEncoder};
use rockcreek_board::{OtherPorts, Output};
use rockcreek_boot::EntryState;
use rockcreek_defs::{Clock, CoreId, Pins, Ps};
use rockcreek_engine::{Queue, state_hash};
use rockcreek_memory::{Dram, Pages};
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::Xxh3;

use crate::description::{Description, DescriptionError};
use crate::processor::Processor;
use crate::scheduler::chip::{Chip, Event};
use crate::slot::{ClockedCycles, Phase, Slot};
use crate::uncore::Uncore;

const MAGIC: &[u8; 8] = b"RCKSNAP\n";
/// The version of the file format; files of other versions are refused. It increases whenever the
/// state of a chip gets a new field or an event a new kind.
const VERSION: u32 = 13;
/// The length of the header in bytes: magic, version, description hash, length of the payload,
/// checksum.
const HEADER_BYTES: usize = 8 + 4 + 16 + 8 + 16;
/// The largest factor by which an LZ4 block can grow when it is unpacked (LZ4 block format: 255
/// bytes for a length byte).
const MOST_EXPANSION: u64 = 255;

/// As many bytes of a payload as are unpacked first in search of its companion's end; then as many
/// again as there are.
const COMPANION_BYTES: u64 = 1 << 18;
const COMPRESSED: &str = "its compressed part";

/// State that is saved with a chip without being part of it: the text of its description, the state
/// of the host service, and a note of the front end.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Companion {
    pub description: String,
    /// The result of [`rockcreek_board::HostService::save`].
    #[serde(with = "serde_bytes")]
    pub host_service: Vec<u8>,
    pub note: String,
}

impl Companion {
    /// What was saved with the chip in a snapshot, without a chip being made. The header and the
    /// checksum are checked; whether the rest fits together, [`Chip::restore`] finds.
    pub fn of(bytes: &[u8]) -> Result<Companion, SnapshotError> {
        let file = packed(bytes)?;
        let mut frame = FrameDecoder::new(file.frame).take(file.length);
        let mut begin = Vec::new();
        loop {
            let step = COMPANION_BYTES.max(begin.len() as u64);
            let found = frame.by_ref().take(step).read_to_end(&mut begin);
            let more = found.map_err(|_| SnapshotError::Damaged(COMPRESSED))?;
            // A companion is the first thing in a payload ([`Saved`]).
            match postcard::take_from_bytes(&begin) {
                Ok((companion, _)) => return Ok(companion),
                Err(postcard::Error::DeserializeUnexpectedEnd) if more > 0 => {}
                Err(problem) => return Err(SnapshotError::Contents(problem.to_string())),
            }
        }
    }
}

/// The reason why a file cannot be restored.
#[derive(Debug, thiserror::Error)]
pub enum SnapshotError {
    #[error("this is no snapshot: it does not begin as one")]
    Magic,
    #[error("this snapshot has version {0} of the format; this rockcreek reads version {VERSION}")]
    Version(u32),
    #[error("the snapshot is damaged: {0}")]
    Damaged(&'static str),
    #[error("the snapshot's contents do not fit together: {0}")]
    Contents(String),
    #[error("the snapshot's chip description: {0}")]
    Description(#[from] DescriptionError),
}

#[derive(Serialize, Deserialize)]
struct SavedSlot<S> {
    state: S,
    clock: Clock,
    phase: Phase,
    pins: Pins,
    level2: Option<bool>,
    entry: Option<EntryState>,
    placed: bool,
    released: bool,
    clocked: ClockedCycles,
}

#[derive(Serialize, Deserialize)]
struct Saved<S> {
    companion: Companion,
    now: Ps,
    running: u64,
    board_sequence: u64,
    events: u64,
    input_core: Option<CoreId>,
    /// With empty memories.
    uncore: Uncore,
    memory: Pages,
    board_events: Queue<Event>,
    output: Vec<Output>,
    other_ports: OtherPorts,
    slots: Vec<SavedSlot<S>>,
}

impl<P: Processor> Chip<P> {
    /// Encodes the chip as a snapshot: the bytes of a file. First brings the cores to
    /// [`Chip::now`], and fills in the host service's part of `companion`.
    pub fn save(&mut self, companion: Companion) -> Vec<u8> {
        let saved = self.saved(companion);
        pack(state_hash(self.description()).0, &saved)
    }

    /// Makes another chip in the state of this one, without host service, observers and stops of a
    /// debugger. First brings the cores to [`Chip::now`]. `core` makes an empty core.
    pub fn twin(&mut self, core: impl Fn(&Description, CoreId) -> P) -> Chip<P> {
        let saved = self.saved(Companion::default());
        let description = self.description().clone();
        let mut chip = Chip::new(&description, |id| core(&description, id));
        chip.strict_voltage = self.strict_voltage;
        chip.take_state(saved, &description);
        chip
    }

    fn saved(&mut self, mut companion: Companion) -> Saved<P::State> {
        self.settle();
        if let Some(host) = &self.host {
            companion.host_service = host.save();
        }
        let slot = |slot: &Slot<P>| SavedSlot {
            state: slot.processor.state(),
            clock: slot.clock,
            phase: slot.phase,
            pins: slot.pins,
            level2: slot.level2,
            entry: slot.entry,
            placed: slot.placed,
            released: slot.released,
            clocked: slot.clocked,
        };
        let (uncore, memory) = self.saved_uncore();
        Saved {
            companion,
            now: self.now,
            running: self.running as u64,
            board_sequence: self.board_sequence,
            events: self.events,
            input_core: self.input_core,
            uncore,
            memory,
            board_events: self.queue.clone(),
            output: self.uncore.board.output().to_vec(),
            other_ports: self.uncore.board.other_ports.clone(),
            slots: self.slots.iter().map(slot).collect(),
        }
    }

    fn saved_uncore(&mut self) -> (Uncore, Pages) {
        let controllers = self.uncore.controllers.iter_mut();
        let away = controllers.map(|one| {
            let empty = Dram::new(one.dram.bytes());
            std::mem::replace(&mut one.dram, empty)
        });
        let away: Vec<Dram> = away.collect();
        let saved = (self.uncore.clone(), Pages::of(away.iter()));
        for (controller, dram) in self.uncore.controllers.iter_mut().zip(away) {
            controller.dram = dram;
        }
        saved
    }

    /// Makes a chip from a snapshot. `core` makes an empty core of the chip that the snapshot's
    /// description describes. The caller sets the host service afterwards. `Err`: why the file
    /// cannot be restored.
    pub fn restore(
        bytes: &[u8],
        core: impl Fn(&Description, CoreId) -> P,
    ) -> Result<(Chip<P>, Companion), SnapshotError> {
        let (hash, saved) = open::<P>(bytes)?;
        let description = Description::parse(&saved.companion.description)?;
        Chip::of_saved(hash, saved, &description, core)
    }

    /// Like [`Chip::restore`], of a chip whose description the caller knows: the text in the
    /// snapshot may be empty.
    pub fn restore_as(
        bytes: &[u8],
        description: &Description,
        core: impl Fn(&Description, CoreId) -> P,
    ) -> Result<(Chip<P>, Companion), SnapshotError> {
        let (hash, saved) = open::<P>(bytes)?;
        Chip::of_saved(hash, saved, description, core)
    }

    fn of_saved(
        hash: u128,
        saved: Saved<P::State>,
        description: &Description,
        core: impl Fn(&Description, CoreId) -> P,
    ) -> Result<(Chip<P>, Companion), SnapshotError> {
        check(&saved, description, hash)?;
        let mut chip = Chip::new(description, |id| core(description, id));
        let companion = chip.take_state(saved, description);
        Ok((chip, companion))
    }

    fn take_state(&mut self, saved: Saved<P::State>, description: &Description) -> Companion {
        self.now = saved.now;
        self.running = saved.running as usize;
        self.board_sequence = saved.board_sequence;
        self.events = saved.events;
        self.input_core = saved.input_core;
        self.uncore = saved.uncore;
        saved.memory.put(self.uncore.controllers.iter_mut().map(|one| &mut one.dram));
        self.uncore.complete(description);
        self.uncore.board.set_output(saved.output);
        self.uncore.board.other_ports = saved.other_ports;
        self.queue = saved.board_events;
        self.releasing = self.queue.count(|event| matches!(event, Event::Release { .. }));
        for (n, saved) in saved.slots.into_iter().enumerate() {
            let slot = &mut self.slots[n];
            slot.processor.restore(&saved.state);
            slot.clock = saved.clock;
            slot.phase = saved.phase;
            slot.pins = saved.pins;
            slot.level2 = saved.level2;
            slot.entry = saved.entry;
            slot.placed = saved.placed;
            slot.released = saved.released;
            slot.clocked = saved.clocked;
            self.schedule(CoreId(n as u16));
        }
        saved.companion
    }
}

/// The description's hash and the contents of a snapshot, not yet checked against each other.
fn open<P: Processor>(bytes: &[u8]) -> Result<(u128, Saved<P::State>), SnapshotError> {
    let (hash, payload) = unpack(bytes)?;
    let contents = |problem: postcard::Error| SnapshotError::Contents(problem.to_string());
    Ok((hash, postcard::from_bytes(&payload).map_err(contents)?))
}

/// Checks for errors that a file with a correct checksum may still have.
fn check<S>(saved: &Saved<S>, description: &Description, hash: u128) -> Result<(), SnapshotError> {
    let cores = description.cores();
    let known = |core: CoreId| core.index() < cores;
    let own = state_hash(description);
    let problem = if own.0 != hash || state_hash(saved.uncore.description()) != own {
        "another chip description"
    } else if !saved.uncore.has_shape_of(description)
        || !saved.memory.fit(&saved.uncore.memory_sizes())
        || saved.slots.len() != cores
        || ![0, cores].contains(&saved.other_ports.cores())
    {
        "blocks of another chip"
    } else if saved.running > cores as u64 || !saved.input_core.is_none_or(known) {
        "cores that the chip does not have"
    } else {
        return Ok(());
    };
    Err(SnapshotError::Contents(problem.into()))
}

fn pack<T: Serialize>(description_hash: u128, value: &T) -> Vec<u8> {
    let payload = postcard::to_stdvec(value).expect("state is plain data");
    let mut frame = FrameEncoder::new(Vec::new());
    frame.write_all(&payload).expect("a Vec takes everything");
    let frame = frame.finish().expect("a Vec takes everything");
    let mut file = Vec::with_capacity(HEADER_BYTES + frame.len());
    file.extend(MAGIC);
    file.extend(VERSION.to_le_bytes());
    file.extend(description_hash.to_le_bytes());
    file.extend((payload.len() as u64).to_le_bytes());
    file.extend(checksum(&file, &frame).to_le_bytes());
    file.extend(frame);
    file
}

fn checksum(head: &[u8], frame: &[u8]) -> u128 {
    let mut hash = Xxh3::new();
    hash.update(head);
    hash.update(frame);
    hash.digest128()
}

/// A file whose checksum agrees: the description's hash, the payload's length, and what is packed.
struct Packed<'a> {
    hash: u128,
    length: u64,
    frame: &'a [u8],
}

/// Checks a file's header and checksum.
fn packed(bytes: &[u8]) -> Result<Packed<'_>, SnapshotError> {
    let rest = bytes.strip_prefix(MAGIC).ok_or(SnapshotError::Magic)?;
    let cut = || SnapshotError::Damaged("it is cut off");
    let (version, rest) = rest.split_first_chunk().ok_or_else(cut)?;
    let version = u32::from_le_bytes(*version);
    if version != VERSION {
        return Err(SnapshotError::Version(version));
    }
    let (hash, rest) = rest.split_first_chunk().ok_or_else(cut)?;
    let (length, rest) = rest.split_first_chunk().ok_or_else(cut)?;
    let (checksum, frame) = rest.split_first_chunk().ok_or_else(cut)?;
    let head = &bytes[..HEADER_BYTES - checksum.len()];
    if self::checksum(head, frame) != u128::from_le_bytes(*checksum) {
        return Err(SnapshotError::Damaged("its checksum is wrong, or it is cut off"));
    }
    let length = u64::from_le_bytes(*length);
    if length > MOST_EXPANSION.saturating_mul(frame.len() as u64) {
        return Err(SnapshotError::Damaged("its length is impossible"));
    }
    Ok(Packed { hash: u128::from_le_bytes(*hash), length, frame })
}

/// The description's hash and the payload of a file.
fn unpack(bytes: &[u8]) -> Result<(u128, Vec<u8>), SnapshotError> {
    let Packed { hash, length, frame } = packed(bytes)?;
    // With room for one byte too many, nothing is copied while it grows.
    let mut payload = Vec::new();
    payload
        .try_reserve_exact(length as usize + 1)
        .map_err(|_| SnapshotError::Damaged("its length is more than this host's memory"))?;
    let read = FrameDecoder::new(frame).take(length + 1).read_to_end(&mut payload);
    if read.is_err() || payload.len() as u64 != length {
        return Err(SnapshotError::Damaged(COMPRESSED));
    }
    Ok((hash, payload))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_is_packed_comes_back() {
        let value = (7u32, vec![0u8; 100_000]);
        let file = pack(9, &value);
        assert!(file.len() < 2_000, "zeros are compressed");
        let (hash, payload) = unpack(&file).unwrap();
        assert_eq!(hash, 9);
        assert_eq!(postcard::from_bytes::<(u32, Vec<u8>)>(&payload).unwrap(), value);
    }

    proptest! {
        #[test]
        fn random_bytes_are_no_snapshot(mut bytes: Vec<u8>, with_magic: bool) {
            if with_magic {
                bytes.splice(..0, MAGIC.iter().copied().chain(VERSION.to_le_bytes()));
            }
            prop_assert!(unpack(&bytes).is_err());
        }

        /// Wrong lengths and garbage with a correct checksum are still errors.
        #[test]
        fn a_right_checksum_makes_no_snapshot(length: u64, frame: Vec<u8>) {
            let mut file = MAGIC.to_vec();
            file.extend(VERSION.to_le_bytes());
            file.extend([0; 16]);
            file.extend(length.to_le_bytes());
            file.extend(checksum(&file, &frame).to_le_bytes());
            file.extend(&frame);
            prop_assert!(unpack(&file).is_err() || length == 0);
        }

        #[test]
        fn damage_is_noticed(at in 0usize..4096, bit in 0u8..8) {
            let mut file = pack(1, &(0u16..300).collect::<Vec<_>>());
            let at = at % file.len();
            file[at] ^= 1 << bit;
            prop_assert!(unpack(&file).is_err());
            file[at] ^= 1 << bit;
            prop_assert!(unpack(&file[..at]).is_err());
        }
    }
}
