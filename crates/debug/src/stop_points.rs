//! Stop points: gdb's breakpoints and watchpoints, and the ones that are set in the cores.
//!
//! A stop point is set in all cores, because they run copies of one program. Its address is linear:
//! each core translates it by its own page tables. Stop points change no guest memory, and their
//! number is not limited. To continue from a breakpoint, gdb removes all stop points, steps one
//! thread, and sets them again. Simulated time passes for all cores during this step, so the other
//! cores keep their stop points and may stop at one.

use std::collections::BTreeSet;

use gdbstub::common::Signal;
use gdbstub::stub::MultiThreadStopReason;
use gdbstub::target::TargetResult;
use gdbstub::target::ext::breakpoints::{
    Breakpoints, HwBreakpoint, HwBreakpointOps, HwWatchpoint, HwWatchpointOps, SwBreakpoint,
    SwBreakpointOps, WatchKind as GdbKind,
};
use rockcreek_cpu::{WatchHit, WatchKind, Watchpoint};
use rockcreek_defs::CoreId;

use crate::gdb_target::{ChipTarget, Machine, thread};

/// A stop point as gdb requested it. Software and hardware breakpoints differ in name only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Wish {
    Software(u32),
    Hardware(u32),
    Watch(Watchpoint),
}

/// A stop point as it is set in a core.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Point {
    Code(u32),
    Data(Watchpoint),
}

/// All stop points: those that gdb wants, and those that are set in the cores.
#[derive(Debug, Default)]
pub(crate) struct StopPoints {
    wanted: BTreeSet<Wish>,
    installed: BTreeSet<Point>,
}

impl Point {
    /// Sets the stop point in a core (`on`), or removes it.
    pub(crate) fn set(self, chip: &mut Machine, core: CoreId, on: bool) {
        match self {
            Point::Code(address) => chip.set_breakpoint(core, address, on),
            Point::Data(watchpoint) => chip.set_watchpoint(core, watchpoint, on),
        }
    }
}

impl StopPoints {
    pub(crate) fn wanted_points(&self) -> BTreeSet<Point> {
        let point = |wish: &Wish| match *wish {
            Wish::Software(address) | Wish::Hardware(address) => Point::Code(address),
            Wish::Watch(watchpoint) => Point::Data(watchpoint),
        };
        self.wanted.iter().map(point).collect()
    }
}

fn kind(kind: GdbKind) -> WatchKind {
    match kind {
        GdbKind::Write => WatchKind::Write,
        GdbKind::Read => WatchKind::Read,
        GdbKind::ReadWrite => WatchKind::Access,
    }
}

fn gdb_kind(kind: WatchKind) -> GdbKind {
    match kind {
        WatchKind::Write => GdbKind::Write,
        WatchKind::Read => GdbKind::Read,
        WatchKind::Access => GdbKind::ReadWrite,
    }
}

impl ChipTarget {
    /// Returns the reason that is reported to gdb after this core has stopped for gdb.
    pub(crate) fn stop_reason(&mut self, core: CoreId) -> MultiThreadStopReason<u32> {
        let processor = &self.chip().slot(core).processor;
        let (stops, hit) = (processor.at_breakpoint(), processor.watch_hit());
        match hit {
            Some(hit) => watch_reason(core, hit),
            None if stops => self.break_reason(core),
            None => step_reason(core),
        }
    }

    /// Returns the stop of a core that stands at one of gdb's breakpoints.
    pub(crate) fn break_reason(&mut self, core: CoreId) -> MultiThreadStopReason<u32> {
        let (tid, here) = (thread(core), self.chip().slot(core).processor.code_address());
        if self.points.wanted.contains(&Wish::Software(here)) {
            MultiThreadStopReason::SwBreak(tid)
        } else {
            MultiThreadStopReason::HwBreak(tid)
        }
    }

    /// Sets the stop points that gdb wants, in all cores or, while gdb has locked the other
    /// threads, only in the cores that step.
    pub(crate) fn install(&mut self) {
        let wanted = self.points.wanted_points();
        let installed = self.installed().clone();
        let cores: Vec<CoreId> = if self.locked {
            self.stepping.clone()
        } else {
            (0..self.chip().slots().len()).map(|n| CoreId(n as u16)).collect()
        };
        for core in cores {
            let chip = self.chip();
            installed.difference(&wanted).for_each(|point| point.set(chip, core, false));
            wanted.difference(&installed).for_each(|point| point.set(chip, core, true));
        }
        if !self.locked {
            *self.installed() = wanted;
        }
    }

    /// The points that the chip at hand has.
    fn installed(&mut self) -> &mut BTreeSet<Point> {
        match &mut self.past {
            Some(past) => &mut past.installed,
            None => &mut self.points.installed,
        }
    }
}

pub(crate) fn watch_reason(core: CoreId, hit: WatchHit) -> MultiThreadStopReason<u32> {
    MultiThreadStopReason::Watch { tid: thread(core), kind: gdb_kind(hit.kind), addr: hit.address }
}

pub(crate) fn step_reason(core: CoreId) -> MultiThreadStopReason<u32> {
    MultiThreadStopReason::SignalWithThread { tid: thread(core), signal: Signal::SIGTRAP }
}

impl Breakpoints for ChipTarget {
    fn support_sw_breakpoint(&mut self) -> Option<SwBreakpointOps<'_, Self>> {
        Some(self)
    }

    fn support_hw_breakpoint(&mut self) -> Option<HwBreakpointOps<'_, Self>> {
        Some(self)
    }

    fn support_hw_watchpoint(&mut self) -> Option<HwWatchpointOps<'_, Self>> {
        Some(self)
    }
}

impl SwBreakpoint for ChipTarget {
    fn add_sw_breakpoint(&mut self, addr: u32, _kind: usize) -> TargetResult<bool, Self> {
        self.points.wanted.insert(Wish::Software(addr));
        Ok(true)
    }

    fn remove_sw_breakpoint(&mut self, addr: u32, _kind: usize) -> TargetResult<bool, Self> {
        Ok(self.points.wanted.remove(&Wish::Software(addr)))
    }
}

impl HwBreakpoint for ChipTarget {
    fn add_hw_breakpoint(&mut self, addr: u32, _kind: usize) -> TargetResult<bool, Self> {
        self.points.wanted.insert(Wish::Hardware(addr));
        Ok(true)
    }

    fn remove_hw_breakpoint(&mut self, addr: u32, _kind: usize) -> TargetResult<bool, Self> {
        Ok(self.points.wanted.remove(&Wish::Hardware(addr)))
    }
}

impl HwWatchpoint for ChipTarget {
    fn add_hw_watchpoint(&mut self, addr: u32, len: u32, of: GdbKind) -> TargetResult<bool, Self> {
        let watchpoint = Watchpoint { start: addr, length: len, kind: kind(of) };
        self.points.wanted.insert(Wish::Watch(watchpoint));
        Ok(true)
    }

    fn remove_hw_watchpoint(
        &mut self,
        addr: u32,
        len: u32,
        of: GdbKind,
    ) -> TargetResult<bool, Self> {
        let watchpoint = Watchpoint { start: addr, length: len, kind: kind(of) };
        Ok(self.points.wanted.remove(&Wish::Watch(watchpoint)))
    }
}
