//! One core's track: its control transfers as nested slices, with notes for some of them.
//!
//! A slice is written when it is certain that the trace keeps it: if it is long enough, or contains
//! a call or mark with a note. Until then its events wait in a list. If a slice ends too soon, it
//! is removed from the list with all slices inside it, which are even shorter.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use crate::call_stack::{CallStack, Step, Way};
use crate::core_writer::{CoreWriter, Note};
use crate::filter::Filter;
use crate::flame::{Flame, Node};
use crate::names::{Name, Names};
use crate::packets::{Extra, Packets};

/// An open slice.
#[derive(Clone, Copy, Debug)]
struct Open {
    /// The number of the event with which the slice begins; `None` if the trace does not show the
    /// slice.
    begin: Option<u64>,
    time_ps: u64,
    name: Name,
    keep: bool,
    node: Node,
}

#[derive(Debug)]
enum Event {
    Begin { time_ps: u64, name: Name, note: Awaited },
    End { time_ps: u64 },
    Mark { time_ps: u64, note: Awaited },
}

impl Event {
    fn time_ps(&self) -> u64 {
        match *self {
            Event::Begin { time_ps, .. } | Event::End { time_ps } | Event::Mark { time_ps, .. } => {
                time_ps
            }
        }
    }
}

/// The note of an event: none; awaited, for the call of the function at this address with its
/// return address at this place of the stack; or known.
#[derive(Debug)]
enum Awaited {
    Never,
    Yes(u32, u32),
    Came(Option<Box<Note>>),
}

/// The track of one core.
#[derive(Debug)]
pub struct CoreTrack {
    filter: Filter,
    stack: CallStack<Open>,
    /// The events that have not been written; the first of them has the number `first`.
    events: VecDeque<Event>,
    first: u64,
    /// The numbers of the events that await a note.
    awaited: VecDeque<u64>,
    now_ps: u64,
    writer: CoreWriter,
    flame: Option<Flame>,
}

/// The kinds of functions that get notes: calls (of message-passing libraries), and the program's
/// marks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Watched {
    Call,
    Mark,
}

impl CoreTrack {
    pub fn new(core: u32, pid: i32, tid: i64, name: &str, filter: Filter) -> CoreTrack {
        let writer = CoreWriter::new(core, pid, tid, name, filter);
        CoreTrack {
            filter,
            stack: CallStack::default(),
            events: VecDeque::new(),
            first: 0,
            awaited: VecDeque::new(),
            now_ps: 0,
            writer,
            flame: None,
        }
    }

    /// Starts a flame graph: from now on sums up the time spent in each stack of functions.
    pub fn with_flame(&mut self) {
        self.flame = Some(Flame::default());
    }

    pub fn flame(&self) -> Option<&Flame> {
        self.flame.as_ref()
    }

    pub fn packets(&self) -> &Packets {
        self.writer.packets()
    }

    /// Ends the trace at this time; the flame graph continues.
    pub fn end_at(&mut self, time_ps: u64) {
        self.writer.end_at(time_ps);
    }

    /// The number of the program's marks that were left out for lack of room.
    pub fn dropped(&self) -> u64 {
        self.writer.dropped()
    }

    /// Takes the core's next control transfer. `watched`: the functions that get notes, by address,
    /// and entries from ring 3 into the kernel, by vector.
    pub fn step(&mut self, step: &Step, names: &mut Names, watched: &FxHashMap<u32, Watched>) {
        self.now_ps = step.time_ps;
        self.spend(step.time_ps);
        self.leave(step);
        match step.way {
            Way::Call => {
                let special = if step.user { watched.get(&step.target).copied() } else { None };
                let name = names.at(step.user, step.target);
                self.enter(step, name, special, step.user);
            }
            Way::Jump => self.jump(step, names, watched),
            Way::Enter => {
                let name = names.vector(step.target);
                let special = if step.user { watched.get(&step.target).copied() } else { None };
                self.enter(step, name, special, false);
            }
            Way::Leave if step.user && self.stack.frames().is_empty() => {
                // The kernel starts a program: its first function has no return address.
                let name = names.at(true, step.target);
                self.enter(&Step { stack: u32::MAX, ..*step }, name, None, true);
            }
            Way::Return | Way::Leave => {}
        }
    }

    fn spend(&mut self, now_ps: u64) {
        let node = self.stack.innermost().map(|open| open.node).unwrap_or_default();
        if let Some(flame) = &mut self.flame {
            flame.spend(node, now_ps);
        }
    }

    fn leave(&mut self, step: &Step) {
        let mut stack = std::mem::take(&mut self.stack);
        stack.leave(step, |rest, open| {
            let keep = self.finish(open, step.time_ps);
            if let Some(outer) = rest.innermost() {
                outer.keep |= keep;
            }
        });
        self.stack = stack;
    }

    fn enter(&mut self, step: &Step, name: Name, special: Option<Watched>, user: bool) {
        if special == Some(Watched::Mark) {
            let note = Awaited::Yes(step.target, step.stack);
            self.push(Event::Mark { time_ps: step.time_ps, note }, true);
            if let Some(around) = self.stack.innermost() {
                around.keep = true;
            }
            return;
        }
        let outer = self.stack.innermost().map(|open| open.node).unwrap_or_default();
        let open = self.open(step, name, special, user, outer);
        if !self.stack.enter(step, open) {
            self.finish(open, step.time_ps);
        }
    }

    fn open(
        &mut self,
        step: &Step,
        name: Name,
        special: Option<Watched>,
        user: bool,
        outer: Node,
    ) -> Open {
        let keep = special.is_some();
        let shown = keep || if user { self.filter.functions } else { self.filter.kernel };
        let note = if keep { Awaited::Yes(step.target, step.stack) } else { Awaited::Never };
        let begin =
            shown.then(|| self.push(Event::Begin { time_ps: step.time_ps, name, note }, keep));
        let node = self.flame.as_mut().map(|flame| flame.call(outer, name)).unwrap_or_default();
        Open { begin, time_ps: step.time_ps, name, keep, node }
    }

    /// Handles a jump: if it leads to the first instruction of another function (a tail call), that
    /// function takes the place of the innermost one.
    fn jump(&mut self, step: &Step, names: &Names, watched: &FxHashMap<u32, Watched>) {
        let Some(name) = names.entry(step.user, step.target) else { return };
        if self.stack.innermost().is_none_or(|open| open.name == name) {
            return;
        }
        let frames = self.stack.frames();
        let outer = match frames.len() {
            0 | 1 => Node::default(),
            depth => frames[depth - 2].of.node,
        };
        let Some(before) = self.stack.innermost().copied() else { return };
        let special = if step.user { watched.get(&step.target).copied() } else { None };
        if special == Some(Watched::Mark) {
            return self.enter(step, name, special, true);
        }
        if self.stack.become_other(before).is_none() {
            return;
        }
        let kept = self.finish(before, step.time_ps);
        let mut open = self.open(step, name, special, step.user, outer);
        open.keep |= kept && open.begin.is_none();
        self.stack.become_other(open);
    }

    fn push(&mut self, event: Event, awaits: bool) -> u64 {
        let number = self.first + self.events.len() as u64;
        self.events.push_back(event);
        if awaits {
            self.awaited.push_back(number);
        }
        number
    }

    /// Ends a slice; removes it if it is too short. Returns true if the slices around it must be
    /// kept.
    fn finish(&mut self, open: Open, time_ps: u64) -> bool {
        let Some(begin) = open.begin else { return open.keep };
        if !open.keep && time_ps - open.time_ps < self.filter.shortest_ps {
            self.events.truncate((begin - self.first) as usize);
        } else {
            self.events.push_back(Event::End { time_ps });
        }
        open.keep
    }

    /// Gives a note to the earliest awaiting call of the function at `address` with its return
    /// address at `stack`. Events that awaited a note before that one get none.
    pub fn note(&mut self, address: u32, stack: u32, note: Note) {
        let is_it = |event: &Event| match event {
            Event::Begin { note: Awaited::Yes(a, s), .. }
            | Event::Mark { note: Awaited::Yes(a, s), .. } => (*a, *s) == (address, stack),
            _ => false,
        };
        let place = |number: &u64| (number - self.first) as usize;
        let Some(found) = self.awaited.iter().position(|n| is_it(&self.events[place(n)])) else {
            return;
        };
        let mut note = Some(Box::new(note));
        for n in (0..=found).rev() {
            let at = place(&self.awaited[n]);
            match &mut self.events[at] {
                Event::Begin { note: awaited, .. } | Event::Mark { note: awaited, .. } => {
                    *awaited = Awaited::Came(note.take());
                }
                Event::End { .. } => {}
            }
        }
        self.awaited.drain(..=found);
    }

    /// Writes the events that are certainly kept and have their notes.
    pub fn write_settled(&mut self, names: &Names) {
        let young = |open: &Open| {
            let short = self.now_ps - open.time_ps < self.filter.shortest_ps;
            if open.keep || !short { None } else { open.begin }
        };
        let unsure = self.stack.frames().iter().find_map(|frame| young(&frame.of));
        let next = self.first + self.events.len() as u64;
        let awaited = self.awaited.front().copied();
        let end = unsure.unwrap_or(next).min(awaited.unwrap_or(next));
        while self.first < end {
            let Some(event) = self.events.pop_front() else { return };
            self.first += 1;
            self.write(event, names);
        }
    }

    /// Call at the end of the run: ends all open slices and writes all events.
    pub fn finish_all(&mut self, time_ps: u64, names: &Names) {
        self.awaited.clear();
        self.spend(time_ps);
        while let Some(open) = self.stack.pop() {
            let keep = self.finish(Open { keep: open.keep, ..open }, time_ps.max(open.time_ps));
            if let Some(outer) = self.stack.innermost() {
                outer.keep |= keep;
            }
        }
        while let Some(event) = self.events.pop_front() {
            self.write(event, names);
        }
        self.writer.finish(time_ps);
    }

    fn write(&mut self, event: Event, names: &Names) {
        self.writer.reach(event.time_ps());
        match event {
            Event::Begin { time_ps, name, note } => {
                let note = if let Awaited::Came(note) = note { note } else { None };
                let (text, extra) = match note {
                    Some(note) => (note.name, note.extra),
                    None => (None, Extra::default()),
                };
                let name = text.unwrap_or_else(|| names.text(name).to_owned());
                self.writer.begin(time_ps, name, extra);
            }
            Event::End { time_ps } => self.writer.end(time_ps),
            Event::Mark { time_ps, note: Awaited::Came(Some(note)) } => {
                self.writer.mark(time_ps, *note);
            }
            Event::Mark { .. } => {}
        }
    }
}
