//! Traces: what a chip's observer has seen goes into tracks as Python has named them.

use std::os::fd::RawFd;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use rockcreek_chip::scheduler::trace::{Conditions, CounterSample, TimedTransfer, Trace as Seen};
use rockcreek_cpu::TransferKind;
use rockcreek_trace::{
    CoreTrack, Counters, Extra, Filter, Names, Note, NoteKind, Step, Watched, Way,
};
use rustc_hash::FxHashMap;

use crate::chip::Chip;
use crate::outputs;
use crate::symbols::demangled;

/// What a call is, its name in place of the function's, its category, values, the number of its
/// arrow and whether that ends there, a value that is counted.
type PlainNote =
    (String, Option<String>, Option<String>, Vec<(String, i64)>, Option<(u64, bool)>, i64);

/// How counter tracks are called; an empty name is no track.
#[derive(FromPyObject, Default)]
struct Labels {
    /// By router, then direction; and how long a flit keeps a link.
    #[pyo3(item)]
    links: Vec<String>,
    #[pyo3(item)]
    flit_ps: u64,
    #[pyo3(item)]
    controllers: Vec<String>,
    #[pyo3(item)]
    domains: Vec<String>,
    #[pyo3(item)]
    voltages: Vec<String>,
    /// The processes.
    #[pyo3(item)]
    tiles: Vec<String>,
}

/// A trace as it grows.
#[pyclass(module = "rockcreek._native")]
pub struct Trace {
    filter: Filter,
    names: Names,
    watched: FxHashMap<u32, Watched>,
    cores: FxHashMap<usize, CoreTrack>,
    counters: Counters,
    labels: Labels,
    last: Option<CounterSample>,
    most_bytes: u64,
    /// When it was full.
    full_ps: Option<u64>,
}

fn step(seen: &TimedTransfer) -> Step {
    let way = match seen.kind {
        TransferKind::Call => Way::Call,
        TransferKind::Return => Way::Return,
        TransferKind::Jump => Way::Jump,
        TransferKind::Enter => Way::Enter,
        TransferKind::Leave => Way::Leave,
    };
    let TimedTransfer { time, user, target, stack, .. } = *seen;
    Step { time_ps: time.0, way, user, target, stack }
}

fn kind(name: &str) -> PyResult<NoteKind> {
    Ok(match name {
        "call" => NoteKind::Call,
        "instant" => NoteKind::Instant,
        "begin" => NoteKind::RegionBegin,
        "end" => NoteKind::RegionEnd,
        "value" => NoteKind::Value,
        _ => return Err(PyValueError::new_err(format!("no kind of note: {name}"))),
    })
}

#[pymethods]
impl Trace {
    /// Slices from one instant to another, if they are not shorter than that. The trace ends early
    /// when it has `most_bytes`.
    #[new]
    fn new(
        span_ps: (u64, u64),
        shortest_ps: u64,
        functions: bool,
        kernel: bool,
        most_bytes: u64,
    ) -> Trace {
        let (from_ps, to_ps) = span_ps;
        Trace {
            filter: Filter { from_ps, to_ps, shortest_ps, functions, kernel },
            names: Names::default(),
            watched: FxHashMap::default(),
            cores: FxHashMap::default(),
            counters: Counters::default(),
            labels: Labels::default(),
            last: None,
            most_bytes,
            full_ps: None,
        }
    }

    fn add_process(&mut self, name: &str, pid: i32) {
        self.counters.process(name, pid);
    }

    fn add_core(&mut self, core: u32, pid: i32, name: &str, flame: bool) {
        let tid = i64::from(core) + 1000;
        let mut track = CoreTrack::new(core, pid, tid, name, self.filter);
        if flame {
            track.with_flame();
        }
        self.cores.insert(core as usize, track);
    }

    fn name_functions(&mut self, user: bool, functions: Vec<(u32, u32, String)>) {
        for (address, size, name) in &functions {
            self.names.add(user, *address, *size, &demangled(name));
        }
    }

    fn name_vectors(&mut self, vectors: Vec<(u32, String)>) {
        vectors.iter().for_each(|(vector, name)| self.names.add_vector(*vector, name));
    }

    fn name_counters(&mut self, labels: Labels) {
        self.labels = labels;
    }

    /// Calls of these functions of ring 3, and entries by these vectors, are noted; those of `marks`
    /// are no slices.
    fn watch(&mut self, calls: Vec<u32>, marks: Vec<u32>) {
        self.watched.extend(calls.into_iter().map(|address| (address, Watched::Call)));
        self.watched.extend(marks.into_iter().map(|address| (address, Watched::Mark)));
    }

    /// What is known of a core's next call that has been fed, of this function with its return
    /// address there.
    fn note(&mut self, core: usize, address: u32, stack: u32, note: PlainNote) -> PyResult<()> {
        let (what, name, category, values, flow, value) = note;
        let extra = Extra { category, values, flow };
        let note = Note { kind: kind(&what)?, name, extra, value };
        if let Some(track) = self.cores.get_mut(&core) {
            track.note(address, stack, note);
        }
        Ok(())
    }

    /// Takes what a chip has seen; with `all` up to its present time.
    fn feed(&mut self, chip: &mut Chip, all: bool) -> PyResult<()> {
        let body = |machine: &mut crate::chip::Machine| {
            if let Some(seen) = machine.trace(all) {
                self.take(seen);
            }
            Ok(())
        };
        if all { chip.with(body) } else { chip.with_running(body) }
    }

    /// Writes what is settled, after the notes of what was fed up to `now_ps`. A trace that is full
    /// by then ends there.
    fn settle(&mut self, now_ps: u64) {
        self.cores.values_mut().for_each(|track| track.write_settled(&self.names));
        if self.full_ps.is_none() && self.bytes() >= self.most_bytes {
            self.full_ps = Some(now_ps);
            self.filter.to_ps = self.filter.to_ps.min(now_ps);
            self.cores.values_mut().for_each(|track| track.end_at(now_ps));
        }
    }

    /// When the trace was full, if it was.
    fn full_ps(&self) -> Option<u64> {
        self.full_ps
    }

    /// Marks of the program that found no place.
    fn marks_dropped(&self) -> u64 {
        self.cores.values().map(CoreTrack::dropped).sum()
    }

    /// Ends the trace at an instant and writes it into an open file, if there is one; how many bytes
    /// and events that are.
    fn finish(&mut self, descriptor: Option<RawFd>, end_ps: u64) -> PyResult<(u64, u64)> {
        let names = &self.names;
        self.cores.values_mut().for_each(|track| track.finish_all(end_ps, names));
        let mut tracks: Vec<_> = self.cores.iter().collect();
        tracks.sort_by_key(|(core, _)| **core);
        let counters = self.counters.packets();
        let all = std::iter::once(counters).chain(tracks.iter().map(|(_, track)| track.packets()));
        let (mut bytes, mut events) = (0, 0);
        let mut file = descriptor.map(outputs::file).transpose()?;
        for packets in all {
            bytes += packets.bytes().len() as u64;
            events += packets.events;
            if let Some(file) = &mut file {
                std::io::Write::write_all(file, packets.bytes())
                    .map_err(|error| outputs::error(&error))?;
            }
        }
        Ok((bytes, events))
    }

    /// Writes a flame graph's stacks of the cores that have one, with nanoseconds, into an open file;
    /// how many calls or stacks have no line of their own.
    fn flame(&self, descriptor: RawFd) -> PyResult<u64> {
        let mut tracks: Vec<_> = self.cores.iter().collect();
        tracks.sort_by_key(|(core, _)| **core);
        let mut to = std::io::BufWriter::new(outputs::file(descriptor)?);
        let mut dropped = 0;
        for (core, track) in tracks {
            let Some(flame) = track.flame() else { continue };
            dropped += flame
                .write(&self.names, &format!("core {core:02}"), &mut to)
                .map_err(|error| outputs::error(&error))?;
        }
        std::io::Write::flush(&mut to).map_err(|error| outputs::error(&error))?;
        Ok(dropped)
    }
}

impl Trace {
    fn bytes(&self) -> u64 {
        let cores = self.cores.values().map(CoreTrack::packets);
        cores.chain([self.counters.packets()]).map(|packets| packets.bytes().len() as u64).sum()
    }

    fn take(&mut self, seen: &mut Seen) {
        for (core, transfers) in seen.transfers.iter_mut().enumerate() {
            if let Some(track) = self.cores.get_mut(&core) {
                for transfer in &*transfers {
                    track.step(&step(transfer), &mut self.names, &self.watched);
                }
            }
            transfers.clear();
        }
        for conditions in seen.conditions.drain(..) {
            self.take_conditions(&conditions);
        }
        for sample in seen.samples.drain(..) {
            if let Some(last) = self.last.take() {
                self.take_rates(&last, &sample);
            }
            self.last = Some(sample);
        }
    }

    /// Clocks and voltages; those of before the trace begins hold there.
    fn take_conditions(&mut self, conditions: &Conditions) {
        let Trace { filter, counters, labels, .. } = self;
        let time_ps = conditions.time.0.max(filter.from_ps);
        if time_ps > filter.to_ps {
            return;
        }
        for (tile, period_ps) in labels.tiles.iter().zip(&conditions.period_ps) {
            counters.put(time_ps, tile, "clock", "MHz", (1_000_000 / period_ps) as f64);
        }
        for (domain, level) in labels.voltages.iter().zip(&conditions.levels) {
            if !domain.is_empty() {
                counters.put(time_ps, "voltage", domain, "V", f64::from(*level) / 160.0);
            }
        }
    }

    /// What was carried and taken between two samples, from the first one on.
    fn take_rates(&mut self, last: &CounterSample, next: &CounterSample) {
        let Trace { filter, counters, labels, .. } = self;
        let (begin, span) = (last.time.0, (next.time.0 - last.time.0) as f64);
        if !filter.shows(begin) || span == 0.0 {
            return;
        }
        let grown = |name: &String, (before, after): (&u64, &u64)| {
            (!name.is_empty()).then(|| (after - before) as f64)
        };
        let mut put = |group: &str,
                       unit: &str,
                       names: &[String],
                       scale: f64,
                       before: &[u64],
                       after: &[u64]| {
            for (name, both) in names.iter().zip(before.iter().zip(after)) {
                if let Some(more) = grown(name, both) {
                    let value = (more * scale / span * 1000.0).round() / 1000.0;
                    counters.put(begin, group, name, unit, value);
                }
            }
        };
        let busy = 100.0 * labels.flit_ps as f64;
        put("mesh links", "% busy", &labels.links, busy, &last.link_flits, &next.link_flits);
        let (before, after) = (&last.accesses, &next.accesses);
        put("memory controllers", "accesses/us", &labels.controllers, 1e6, before, after);
        put("power", "mW", &labels.domains, 1.0, &last.energies, &next.energies);
    }
}

#[pymethods]
impl Chip {
    /// Traces from now on: control transfers of all cores, direct jumps to `entries`, if these are
    /// given, without calls that return sooner than `shortest_ps` unless they are of `kept`; counts
    /// at instants `every_ps` apart, 0: none. Results are the same.
    fn start_trace(
        &mut self,
        entries: Option<Vec<u32>>,
        shortest_ps: u64,
        kept: Vec<u32>,
        every_ps: u64,
    ) -> PyResult<()> {
        self.with(|machine| {
            machine.start_trace(entries, shortest_ps, &kept, every_ps);
            Ok(())
        })
    }
}
