//! The chip as gdb's target. Thread n + 1 is core n; addresses are linear addresses of a core.
//!
//! Breakpoints and watchpoints are in [`crate::stop_points`].

use std::num::NonZeroUsize;

use gdbstub::common::{Signal, Tid};
use gdbstub::stub::MultiThreadStopReason;
use gdbstub::target::ext::base::BaseOps;
use gdbstub::target::ext::base::multithread::{
    MultiThreadBase, MultiThreadResume, MultiThreadResumeOps, MultiThreadSchedulerLocking,
    MultiThreadSchedulerLockingOps, MultiThreadSingleStep, MultiThreadSingleStepOps,
};
use gdbstub::target::ext::base::reverse_exec::{
    ReverseCont, ReverseContOps, ReverseStep, ReverseStepOps,
};
use gdbstub::target::ext::breakpoints::BreakpointsOps;
use gdbstub::target::ext::monitor_cmd::{ConsoleOutput, MonitorCmd, MonitorCmdOps};
use gdbstub::target::ext::thread_extra_info::{ThreadExtraInfo, ThreadExtraInfoOps};
use gdbstub::target::{Target, TargetError, TargetResult};
use rockcreek_board::Exit;
use rockcreek_chip::{Chip, Phase};
use rockcreek_cpu::Core;
use rockcreek_defs::CoreId;

use crate::backwards::{Near, Task};
use crate::history::History;
use crate::moment::progress;
use crate::monitor_commands;
use crate::past::{Hunt, Past};
use crate::stop_points::StopPoints;
use crate::x86_registers::{CoreRegisters, I586};

pub(crate) const CHANGES_NO_PAST: &str = "gdb looks at the past, which nobody can change: `continue` leads to \
     the latest moment of the run";

pub(crate) const LENT: &str = "the server lends the chip while gdb is answered";

/// The chip under gdb.
pub type Machine = Chip<Core>;

/// A chip as gdb's target, with the state of the debugging session.
pub struct ChipTarget {
    /// The run's own chip, at the latest moment; present only inside a slice of the server.
    pub(crate) chip: Option<Box<Machine>>,
    /// The chip that gdb sees if gdb is in the past; `None` at the latest moment.
    pub(crate) past: Option<Past>,
    pub(crate) history: History,
    /// A reverse command whose search has not begun yet.
    pub(crate) task: Option<Task>,
    /// The search of the present reverse command. `near`: chips from which the next one may begin.
    pub(crate) hunt: Option<Hunt>,
    pub(crate) near: Near,
    /// True if a program of the host changed the run's chip while gdb was in the past.
    pub(crate) stale: bool,
    pub(crate) said_where: bool,
    /// Messages for the user.
    pub(crate) notices: Vec<String>,
    /// True if gdb also stops before the run ends, and where a core fails.
    pub(crate) stop_at_end: bool,
    pub(crate) points: StopPoints,
    pub(crate) stepping: Vec<CoreId>,
    pub(crate) locked: bool,
}

/// gdb's thread number for a core.
pub fn thread(core: CoreId) -> Tid {
    NonZeroUsize::MIN.saturating_add(core.index())
}

fn core(tid: Tid) -> CoreId {
    CoreId((tid.get() - 1) as u16)
}

impl ChipTarget {
    /// A target around a chip, without a server.
    pub fn of(chip: Box<Machine>) -> ChipTarget {
        ChipTarget { chip: Some(chip), ..ChipTarget::new() }
    }

    pub(crate) fn new() -> ChipTarget {
        ChipTarget {
            chip: None,
            past: None,
            history: History::default(),
            task: None,
            hunt: None,
            near: Near::new(),
            stale: false,
            said_where: false,
            notices: Vec::new(),
            stop_at_end: false,
            points: StopPoints::default(),
            stepping: Vec::new(),
            locked: false,
        }
    }

    /// The chip that gdb sees: in the past or at the latest moment.
    pub(crate) fn chip(&mut self) -> &mut Machine {
        let past = self.past.as_mut().map(|past| &mut past.repeat.chip);
        past.or(self.chip.as_mut()).expect(LENT)
    }

    /// The run's own chip, at the latest moment.
    pub(crate) fn live(&mut self) -> &mut Machine {
        self.chip.as_mut().expect(LENT)
    }

    /// True if gdb may change the chip, which is so at the latest moment only. Then also drops the
    /// record, because a repetition would not contain the change.
    pub(crate) fn may_change(&mut self) -> bool {
        if self.past.is_some() {
            self.notices.push(CHANGES_NO_PAST.into());
            return false;
        }
        self.history.clear();
        self.near.clear();
        true
    }

    /// The core of gdb's thread; an error if the chip does not have it.
    fn core(&mut self, tid: Tid) -> TargetResult<CoreId, Self> {
        let core = core(tid);
        let there = core.index() < self.chip().slots().len();
        there.then_some(core).ok_or(TargetError::NonFatal)
    }

    /// The thread of the first core that is neither in reset nor ended; of core 0 if there is none.
    pub(crate) fn first(&mut self) -> Tid {
        let running = |phase: Phase| !matches!(phase, Phase::Reset | Phase::Ended);
        let core = self.chip().slots().iter().position(|slot| running(slot.phase));
        thread(CoreId(core.unwrap_or(0) as u16))
    }

    /// Returns the stop that is reported when gdb, a limit or the end of all events stops the chip.
    pub(crate) fn interrupted(&mut self) -> MultiThreadStopReason<u32> {
        self.chip().settle();
        let tid = self.first();
        MultiThreadStopReason::SignalWithThread { tid, signal: Signal::SIGINT }
    }

    /// Returns the stop that is reported where a core ended otherwise than by an exit.
    pub(crate) fn failed(&mut self) -> MultiThreadStopReason<u32> {
        let live: &Machine = self.live();
        let (host, cores) = (&live.uncore.board.host, 0..live.slots().len());
        let failed = |n: &usize| {
            let exit = host.exit(CoreId(*n as u16));
            exit.filter(|exit| exit.reason != Exit::ORDINARY).map(|exit| exit.time)
        };
        let core = cores.filter(|n| failed(n).is_some()).max_by_key(failed);
        let tid = core.map_or_else(|| self.first(), |n| thread(CoreId(n as u16)));
        MultiThreadStopReason::SignalWithThread { tid, signal: Signal::SIGSEGV }
    }

    /// Call when gdb has left: removes its stop points and the record.
    pub(crate) fn release(&mut self) {
        self.end_hunt();
        self.past = None;
        self.live().clear_breaks();
        self.history.clear();
        *self = ChipTarget {
            chip: self.chip.take(),
            history: std::mem::take(&mut self.history),
            notices: std::mem::take(&mut self.notices),
            ..ChipTarget::new()
        };
    }
}

impl Target for ChipTarget {
    type Arch = I586;
    type Error = &'static str;

    fn base_ops(&mut self) -> BaseOps<'_, I586, &'static str> {
        BaseOps::MultiThread(self)
    }

    fn support_breakpoints(&mut self) -> Option<BreakpointsOps<'_, Self>> {
        Some(self)
    }

    fn support_monitor_cmd(&mut self) -> Option<MonitorCmdOps<'_, Self>> {
        Some(self)
    }
}

impl MultiThreadBase for ChipTarget {
    fn read_registers(&mut self, regs: &mut CoreRegisters, tid: Tid) -> TargetResult<(), Self> {
        let core = self.core(tid)?;
        *regs = CoreRegisters::of(&self.chip().slot(core).processor);
        Ok(())
    }

    fn write_registers(&mut self, regs: &CoreRegisters, tid: Tid) -> TargetResult<(), Self> {
        let core = self.core(tid)?;
        if !self.may_change() {
            return Err(TargetError::NonFatal);
        }
        let written = self.chip().change(core, |processor| regs.write(processor));
        if written { Ok(()) } else { Err(TargetError::NonFatal) }
    }

    fn read_addrs(&mut self, start: u32, data: &mut [u8], tid: Tid) -> TargetResult<usize, Self> {
        let core = self.core(tid)?;
        let mut done = 0;
        for (at, byte) in (start..=u32::MAX).zip(&mut *data) {
            let Some(read) = self.chip().read_linear(core, at, 1) else { break };
            *byte = read[0];
            done += 1;
        }
        if done == 0 && !data.is_empty() { Err(TargetError::NonFatal) } else { Ok(done) }
    }

    fn write_addrs(&mut self, start: u32, data: &[u8], tid: Tid) -> TargetResult<(), Self> {
        let core = self.core(tid)?;
        if !self.may_change() {
            return Err(TargetError::NonFatal);
        }
        let written = self.chip().write_linear(core, start, data);
        if written { Ok(()) } else { Err(TargetError::NonFatal) }
    }

    fn list_active_threads(&mut self, active: &mut dyn FnMut(Tid)) -> Result<(), &'static str> {
        let first = self.first();
        for (n, slot) in self.chip().slots().iter().enumerate() {
            let tid = thread(CoreId(n as u16));
            if slot.phase != Phase::Reset || tid == first {
                active(tid);
            }
        }
        Ok(())
    }

    fn support_resume(&mut self) -> Option<MultiThreadResumeOps<'_, Self>> {
        Some(self)
    }

    fn support_thread_extra_info(&mut self) -> Option<ThreadExtraInfoOps<'_, Self>> {
        Some(self)
    }
}

impl MultiThreadResume for ChipTarget {
    fn resume(&mut self) -> Result<(), &'static str> {
        self.install();
        for core in self.stepping.clone() {
            self.chip().set_step(core, true);
        }
        if let Some(past) = &mut self.past {
            let came = |core: &CoreId| (*core, progress(&past.repeat.chip, *core));
            past.stepping = self.stepping.iter().map(came).collect();
        }
        Ok(())
    }

    fn clear_resume_actions(&mut self) -> Result<(), &'static str> {
        for core in std::mem::take(&mut self.stepping) {
            self.chip().set_step(core, false);
        }
        self.locked = false;
        Ok(())
    }

    fn set_resume_action_continue(
        &mut self,
        _tid: Tid,
        _signal: Option<Signal>,
    ) -> Result<(), &'static str> {
        Ok(())
    }

    fn support_reverse_step(&mut self) -> Option<ReverseStepOps<'_, Tid, Self>> {
        Some(self)
    }

    fn support_reverse_cont(&mut self) -> Option<ReverseContOps<'_, Tid, Self>> {
        Some(self)
    }

    fn support_single_step(&mut self) -> Option<MultiThreadSingleStepOps<'_, Self>> {
        Some(self)
    }

    fn support_scheduler_locking(&mut self) -> Option<MultiThreadSchedulerLockingOps<'_, Self>> {
        Some(self)
    }
}

impl ReverseStep<Tid> for ChipTarget {
    fn reverse_step(&mut self, tid: Tid) -> Result<(), &'static str> {
        self.task = Some(Task::Step(core(tid)));
        Ok(())
    }
}

impl ReverseCont<Tid> for ChipTarget {
    fn reverse_cont(&mut self) -> Result<(), &'static str> {
        self.task = Some(Task::Continue);
        Ok(())
    }
}

impl MultiThreadSingleStep for ChipTarget {
    fn set_resume_action_step(
        &mut self,
        tid: Tid,
        _signal: Option<Signal>,
    ) -> Result<(), &'static str> {
        self.stepping.push(core(tid));
        Ok(())
    }
}

/// The other threads cannot stand still: time passes for all cores alike.
impl MultiThreadSchedulerLocking for ChipTarget {
    fn set_resume_action_scheduler_lock(&mut self) -> Result<(), &'static str> {
        self.locked = true;
        Ok(())
    }
}

impl ThreadExtraInfo for ChipTarget {
    fn thread_extra_info(&self, tid: Tid, buf: &mut [u8]) -> Result<usize, &'static str> {
        let live = self.chip.as_ref();
        let chip = self.past.as_ref().map(|past| &past.repeat.chip).or(live).ok_or("no chip")?;
        let core = core(tid);
        if core.index() >= chip.slots().len() {
            return Ok(0);
        }
        let tile = chip.description().topology.tile_of(core);
        let at = chip.uncore.tiles[tile.index()].coord;
        let state = match chip.slot(core).phase {
            Phase::Halted => " halted",
            Phase::Shutdown => " shut down",
            Phase::Ended => " ended",
            Phase::Reset => " in reset",
            _ => "",
        };
        let text = format!("Core {} (tile {},{}){state}", core.0, at.x, at.y);
        let count = text.len().min(buf.len());
        buf[..count].copy_from_slice(&text.as_bytes()[..count]);
        Ok(count)
    }
}

impl MonitorCmd for ChipTarget {
    fn handle_monitor_cmd(
        &mut self,
        command: &[u8],
        mut out: ConsoleOutput<'_>,
    ) -> Result<(), &'static str> {
        let text = monitor_commands::answer(self, &String::from_utf8_lossy(command));
        out.write_raw(text.as_bytes());
        Ok(())
    }
}
