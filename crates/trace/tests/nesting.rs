//! Slices nest and their times are in order, whatever a program does to its stack.

use prost::Message;
use prost::bytes::Buf;
use rockcreek_trace::{CoreTrack, Extra, Filter, Names, Note, NoteKind, Step, Watched, Way};
use rustc_hash::FxHashMap;

const ALL: Filter =
    Filter { from_ps: 0, to_ps: u64::MAX >> 1, shortest_ps: 0, functions: true, kernel: true };
const MAIN: u32 = 0x1000;
const A: u32 = 0x2000;
const B: u32 = 0x3000;
const MARK: u32 = 0x4000;
const US: u64 = 1_000_000;

/// The little that is read back, by the format's field numbers.
#[derive(Clone, PartialEq, Message)]
struct Packet {
    #[prost(uint64, optional, tag = "8")]
    timestamp: Option<u64>,
    #[prost(message, optional, tag = "11")]
    event: Option<Event>,
    #[prost(message, optional, tag = "12")]
    interned: Option<Interned>,
}

#[derive(Clone, PartialEq, Message)]
struct Event {
    #[prost(int32, optional, tag = "9")]
    r#type: Option<i32>,
    #[prost(uint64, optional, tag = "10")]
    name: Option<u64>,
    #[prost(uint64, optional, tag = "11")]
    track: Option<u64>,
    #[prost(fixed64, repeated, packed = "false", tag = "47")]
    flows: Vec<u64>,
}

#[derive(Clone, PartialEq, Message)]
struct Interned {
    #[prost(message, repeated, tag = "2")]
    names: Vec<Name>,
}

#[derive(Clone, PartialEq, Message)]
struct Name {
    #[prost(uint64, optional, tag = "1")]
    iid: Option<u64>,
    #[prost(string, optional, tag = "2")]
    name: Option<String>,
}

#[derive(Clone, PartialEq, Message)]
struct Trace {
    #[prost(message, repeated, tag = "1")]
    packets: Vec<Packet>,
}

/// Microsecond, then `name` or `end`; of a track of its own with its number before.
fn read(mut bytes: impl Buf) -> Vec<String> {
    let trace = Trace::decode(&mut bytes).expect("packets");
    let mut names = FxHashMap::default();
    let mut last = 0;
    let mut found = Vec::new();
    for packet in trace.packets {
        for name in packet.interned.into_iter().flat_map(|interned| interned.names) {
            names.insert(name.iid, name.name.unwrap_or_default());
        }
        let Some(event) = packet.event else { continue };
        let time = packet.timestamp.unwrap_or(0);
        assert!(time >= last, "times are in order");
        last = time;
        let what = match event.r#type {
            Some(2) => "end".to_owned(),
            Some(3) => format!("at {}", names[&event.name]),
            _ => names[&event.name].clone(),
        };
        let own = if event.track.is_some() { "region " } else { "" };
        found.push(format!("{} {own}{what}", time / 1000));
    }
    found
}

struct Bench {
    track: CoreTrack,
    names: Names,
    watched: FxHashMap<u32, Watched>,
    now: u64,
}

impl Bench {
    fn new(filter: Filter) -> Bench {
        let mut names = Names::default();
        for (address, name) in [(MAIN, "main"), (A, "a"), (B, "b"), (MARK, "mark")] {
            names.add(true, address, 0x100, name);
        }
        names.add_vector(14, "page fault");
        let watched = FxHashMap::from_iter([(MARK, Watched::Mark)]);
        let track = CoreTrack::new(0, 1, 1000, "core 00", filter);
        let mut bench = Bench { track, names, watched, now: 0 };
        bench.step(Way::Call, MAIN, 0x8000);
        bench
    }

    /// A microsecond later.
    fn step(&mut self, way: Way, target: u32, stack: u32) {
        self.now += US;
        let step = Step { time_ps: self.now, way, user: true, target, stack };
        self.track.step(&step, &mut self.names, &self.watched);
        self.track.write_settled(&self.names);
    }

    fn end(mut self) -> Vec<String> {
        self.track.finish_all(self.now + US, &self.names);
        read(self.track.packets().bytes())
    }
}

#[test]
fn recursion_nests() {
    let mut bench = Bench::new(ALL);
    bench.step(Way::Call, A, 0x7F00);
    bench.step(Way::Call, A, 0x7E00);
    bench.step(Way::Return, A, 0x7E00);
    bench.step(Way::Return, MAIN, 0x7F00);
    assert_eq!(bench.end(), ["1 main", "2 a", "3 a", "4 end", "5 end", "6 end"]);
}

/// A longjmp raises the stack pointer and jumps: the frames that it leaves end there.
#[test]
fn a_longjmp_ends_what_it_leaves() {
    let mut bench = Bench::new(ALL);
    bench.step(Way::Call, A, 0x7F00);
    bench.step(Way::Call, B, 0x7E00);
    bench.step(Way::Jump, MAIN + 20, 0x7F80);
    bench.step(Way::Call, B, 0x7F00);
    bench.step(Way::Return, MAIN, 0x7F00);
    let due = ["1 main", "2 a", "3 b", "4 end", "4 end", "5 b", "6 end", "7 end"];
    assert_eq!(bench.end(), due);
}

/// A call that only reads its own address, and a return that finds no call of its own.
#[test]
fn what_never_returns_ends_with_the_next_call() {
    let mut bench = Bench::new(ALL);
    bench.step(Way::Call, A, 0x7F00);
    bench.step(Way::Call, B, 0x7F00);
    bench.step(Way::Return, 0, 0x7E00);
    bench.step(Way::Return, MAIN, 0x7F00);
    assert_eq!(bench.end(), ["1 main", "2 a", "3 end", "3 b", "5 end", "6 end"]);
}

#[test]
fn a_tail_call_takes_the_place_of_its_caller() {
    let mut bench = Bench::new(ALL);
    bench.step(Way::Call, A, 0x7F00);
    bench.step(Way::Jump, B, 0x7F00);
    bench.step(Way::Jump, B + 8, 0x7E00);
    bench.step(Way::Return, MAIN, 0x7F00);
    assert_eq!(bench.end(), ["1 main", "2 a", "3 end", "3 b", "5 end", "6 end"]);
}

#[test]
fn a_handler_nests_and_its_frames_are_its_own() {
    let mut bench = Bench::new(ALL);
    bench.step(Way::Enter, 14, 0xC000_0000);
    bench.step(Way::Leave, MAIN + 4, 0x7FF0);
    bench.step(Way::Return, 0, 0x8000);
    assert_eq!(bench.end(), ["1 main", "2 page fault", "3 end", "4 end"]);
}

#[test]
fn short_slices_are_left_out_with_what_they_hold() {
    let mut bench = Bench::new(Filter { shortest_ps: 3 * US, ..ALL });
    bench.step(Way::Call, A, 0x7F00);
    bench.step(Way::Return, MAIN, 0x7F00);
    bench.step(Way::Call, A, 0x7F00);
    bench.step(Way::Call, B, 0x7E00);
    bench.step(Way::Return, A, 0x7E00);
    bench.step(Way::Return, MAIN, 0x7F00);
    assert_eq!(bench.end(), ["1 main", "4 a", "7 end", "8 end"]);
}

/// What is around a mark is kept with it, and what is open when the trace begins is seen from there.
#[test]
fn marks_and_regions_and_a_span_of_time() {
    let note = |kind, name: &str| Note {
        kind,
        name: Some(name.to_owned()),
        extra: Extra::default(),
        value: 0,
    };
    let span = Filter { from_ps: 2 * US, to_ps: 6 * US, shortest_ps: 100 * US, ..ALL };
    let mut bench = Bench::new(span);
    let marks = [
        (NoteKind::RegionBegin, "early"),
        (NoteKind::Instant, "here"),
        (NoteKind::RegionBegin, "work"),
        (NoteKind::RegionEnd, "work"),
        (NoteKind::RegionEnd, "early"),
        (NoteKind::Instant, "too late"),
    ];
    for (n, (kind, name)) in marks.into_iter().enumerate() {
        bench.step(Way::Call, MARK, 0x7F00 + n as u32);
        bench.track.note(MARK, 0x7F00 + n as u32, note(kind, name));
    }
    let due = [
        "2 main",
        "2 region early",
        "3 at here",
        "4 region work",
        "5 region end",
        "6 region end",
        "6 end",
    ];
    assert_eq!(bench.end(), due);
}
