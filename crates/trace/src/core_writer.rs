//! The packets of one core's tracks. A slice that is open when the trace begins is shown from that
//! time on; a slice that is open when the trace ends is shown up to that time.

use rustc_hash::FxHashMap;

use crate::filter::Filter;
use crate::packets::{Extra, Packets, Place, Track};

/// The caller's note about one call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    pub kind: NoteKind,
    /// The name to show in place of the function's; `None`: the function's.
    pub name: Option<String>,
    pub extra: Extra,
    pub value: i64,
}

/// How a call with a note is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoteKind {
    /// As an ordinary slice.
    Call,
    /// As an instant, region or value: the program's marks.
    Instant,
    RegionBegin,
    RegionEnd,
    Value,
}

/// An open slice; `written`: true if its begin is in the trace.
#[derive(Debug)]
struct Slice {
    time_ps: u64,
    name: String,
    extra: Extra,
    written: bool,
}

/// The open slices of one track, the innermost last.
#[derive(Debug, Default)]
struct Lane {
    open: Vec<Slice>,
    /// The number of further open slices, which are not shown.
    beyond: u64,
    /// True if the track's description has been written.
    described: bool,
}

/// The two lanes of a core: its functions, and the program's regions.
const FUNCTIONS: usize = 0;
const REGIONS: usize = 1;
const LANES: usize = 2;
/// The distance between the track numbers of two cores.
const TRACKS: u64 = 1 << 20;
/// The largest numbers of slices of a lane that are open at once, and of names of values. The guest
/// determines both, and they cost the host memory.
const DEEPEST: usize = 1024;
const MOST_VALUES: usize = 1 << 12;

/// The writer of one core's packets.
#[derive(Debug)]
pub struct CoreWriter {
    filter: Filter,
    lanes: [Lane; LANES],
    values: FxHashMap<String, Track>,
    packets: Packets,
    own: Track,
    /// True if the slices that were open when the trace began have been written.
    begun: bool,
    /// The number of marks that were left out for lack of room.
    dropped: u64,
}

impl CoreWriter {
    pub fn new(core: u32, pid: i32, tid: i64, name: &str, filter: Filter) -> CoreWriter {
        let own = Track((u64::from(core) + 1) * TRACKS);
        let mut packets = Packets::new(core + 1, own);
        packets.describe(own, name, Place::Thread { pid, tid });
        let (lanes, values) = (Default::default(), FxHashMap::default());
        CoreWriter { filter, lanes, values, packets, own, begun: false, dropped: 0 }
    }

    pub fn packets(&self) -> &Packets {
        &self.packets
    }

    pub fn dropped(&self) -> u64 {
        self.dropped
    }

    /// Ends the trace at this time.
    pub fn end_at(&mut self, time_ps: u64) {
        self.filter.to_ps = self.filter.to_ps.min(time_ps);
    }

    fn track(&self, lane: usize) -> Track {
        Track(self.own.0 + lane as u64)
    }

    /// Call before each event, with its time: when the trace begins, writes the slices that are
    /// open then.
    pub fn reach(&mut self, time_ps: u64) {
        if self.begun || time_ps < self.filter.from_ps {
            return;
        }
        self.begun = true;
        for lane in 0..LANES {
            let track = self.track(lane);
            for slice in &mut self.lanes[lane].open {
                slice.written = true;
                self.packets.begin(self.filter.from_ps, track, &slice.name, &slice.extra);
            }
        }
    }

    /// Begins a function's slice.
    pub fn begin(&mut self, time_ps: u64, name: String, extra: Extra) {
        self.begin_on(FUNCTIONS, Slice { time_ps, name, extra, written: false });
    }

    /// Ends the innermost open function's slice.
    pub fn end(&mut self, time_ps: u64) {
        self.end_on(FUNCTIONS, time_ps);
    }

    fn begin_on(&mut self, lane: usize, mut slice: Slice) {
        if self.lanes[lane].open.len() == DEEPEST {
            self.lanes[lane].beyond += 1;
            self.dropped += 1;
            return;
        }
        if self.filter.shows(slice.time_ps) {
            slice.written = true;
            let track = self.track(lane);
            self.packets.begin(slice.time_ps, track, &slice.name, &slice.extra);
        }
        self.lanes[lane].open.push(slice);
    }

    fn end_on(&mut self, lane: usize, time_ps: u64) {
        if let Some(rest) = self.lanes[lane].beyond.checked_sub(1) {
            self.lanes[lane].beyond = rest;
            return;
        }
        let Some(slice) = self.lanes[lane].open.pop() else { return };
        if slice.written {
            let track = self.track(lane);
            self.packets.end(time_ps.min(self.filter.to_ps).max(slice.time_ps), track);
        }
    }

    /// Writes a mark of the program.
    pub fn mark(&mut self, time_ps: u64, note: Note) {
        let name = note.name.unwrap_or_default();
        match note.kind {
            NoteKind::RegionBegin => {
                if !std::mem::replace(&mut self.lanes[REGIONS].described, true) {
                    let (track, parent) = (self.track(REGIONS), Some(self.own));
                    self.packets.describe(track, "regions", Place::Other { parent });
                }
                let extra = note.extra;
                self.begin_on(REGIONS, Slice { time_ps, name, extra, written: false });
            }
            NoteKind::RegionEnd => self.end_on(REGIONS, time_ps),
            _ if !self.filter.shows(time_ps) => {}
            NoteKind::Value => match self.value_track(&name) {
                Some(track) => self.packets.count(time_ps, track, note.value),
                None => self.dropped += 1,
            },
            NoteKind::Instant | NoteKind::Call => {
                self.packets.instant(time_ps, self.own, &name, &note.extra);
            }
        }
    }

    fn value_track(&mut self, name: &str) -> Option<Track> {
        if let Some(&track) = self.values.get(name) {
            return Some(track);
        }
        if self.values.len() == MOST_VALUES {
            return None;
        }
        let track = Track(self.own.0 + (LANES + self.values.len()) as u64);
        let place = Place::Counter { parent: Some(self.own), unit: String::new() };
        self.packets.describe(track, name, place);
        self.values.insert(name.to_owned(), track);
        Some(track)
    }

    /// Ends all open slices at the end of the run.
    pub fn finish(&mut self, time_ps: u64) {
        self.reach(time_ps);
        for lane in 0..LANES {
            self.lanes[lane].beyond = 0;
            while !self.lanes[lane].open.is_empty() {
                self.end_on(lane, time_ps);
            }
        }
    }
}
