//! Counter tracks: rates and levels over time, in groups.

use rustc_hash::FxHashMap;

use crate::packets::{Packets, Place, Track};

/// All counter tracks; their packets are one sequence.
#[derive(Debug)]
pub struct Counters {
    packets: Packets,
    groups: FxHashMap<String, Track>,
    tracks: FxHashMap<(String, String), (Track, Option<f64>)>,
    next: u64,
}

/// The first number of the tracks of processes and counters; all of them are below those of cores.
const FIRST: u64 = 1;
const SEQUENCE: u32 = u32::MAX;

impl Default for Counters {
    fn default() -> Counters {
        Counters {
            packets: Packets::new(SEQUENCE, Track(0)),
            groups: FxHashMap::default(),
            tracks: FxHashMap::default(),
            next: FIRST,
        }
    }
}

impl Counters {
    fn new_track(&mut self) -> Track {
        self.next += 1;
        Track(self.next - 1)
    }

    /// Adds a group of counters that the trace shows as a process.
    pub fn process(&mut self, name: &str, pid: i32) {
        let track = self.new_track();
        self.packets.describe(track, name, Place::Process { pid });
        self.groups.insert(name.to_owned(), track);
    }

    fn group(&mut self, name: &str) -> Track {
        if let Some(&track) = self.groups.get(name) {
            return track;
        }
        let track = self.new_track();
        self.packets.describe(track, name, Place::Other { parent: None });
        self.groups.insert(name.to_owned(), track);
        track
    }

    /// Writes that a counter has this value from `time_ps` on. A track begins with the counter's
    /// first value other than 0; an unchanged value is not written again.
    pub fn put(&mut self, time_ps: u64, group: &str, name: &str, unit: &str, value: f64) {
        let key = (group.to_owned(), name.to_owned());
        let track = match self.tracks.get(&key) {
            Some((_, Some(last))) if *last == value => return,
            Some(&(track, _)) => track,
            None if value == 0.0 => return,
            None => {
                let parent = Some(self.group(group));
                let track = self.new_track();
                self.packets.describe(track, name, Place::Counter { parent, unit: unit.into() });
                track
            }
        };
        self.tracks.insert(key, (track, Some(value)));
        self.packets.measure(time_ps, track, value);
    }

    pub fn packets(&self) -> &Packets {
        &self.packets
    }
}
