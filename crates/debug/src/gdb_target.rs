//! The chip as gdb's target. Thread n + 1 is core n; addresses are linear addresses of a core.
//!
//! Breakpoints and watchpoints are in [`crate::stop_points`].

use std::num::NonZeroUsize;

use gdbstub::common::{Signal, Tid};
use gdbstub::target::ext::base::BaseOps;
use gdbstub::target::ext::base::multithread::{
    MultiThreadBase, MultiThreadResume, MultiThreadResumeOps, MultiThreadSchedulerLocking,
    MultiThreadSchedulerLockingOps, MultiThreadSingleStep, MultiThreadSingleStepOps,
};
use gdbstub::target::ext::breakpoints::BreakpointsOps;
use gdbstub::target::ext::monitor_cmd::{ConsoleOutput, MonitorCmd, MonitorCmdOps};
use gdbstub::target::ext::thread_extra_info::{ThreadExtraInfo, ThreadExtraInfoOps};
use gdbstub::target::{Target, TargetError, TargetResult};
use rockcreek_chip::{Chip, Phase};
use rockcreek_cpu::Core;
use rockcreek_defs::CoreId;

use crate::monitor_commands;
use crate::stop_points::StopPoints;
use crate::x86_registers::{CoreRegisters, I586};

/// The chip under gdb.
pub type Machine = Chip<Core>;

/// A chip, and what gdb wants of it.
pub struct ChipTarget {
    /// Present while gdb is being answered.
    pub(crate) chip: Option<Box<Machine>>,
    pub(crate) points: StopPoints,
    pub(crate) stepping: Vec<CoreId>,
    pub(crate) locked: bool,
}

/// The thread of a core.
pub fn thread(core: CoreId) -> Tid {
    NonZeroUsize::MIN.saturating_add(core.index())
}

fn core(tid: Tid) -> CoreId {
    CoreId((tid.get() - 1) as u16)
}

impl ChipTarget {
    pub(crate) fn new() -> ChipTarget {
        ChipTarget {
            chip: None,
            points: StopPoints::default(),
            stepping: Vec::new(),
            locked: false,
        }
    }

    pub(crate) fn chip(&mut self) -> &mut Machine {
        self.chip.as_mut().expect("the server lends the chip while gdb is answered")
    }

    /// The core of a thread, if the chip has it.
    fn core(&mut self, tid: Tid) -> TargetResult<CoreId, Self> {
        let core = core(tid);
        let there = core.index() < self.chip().slots().len();
        there.then_some(core).ok_or(TargetError::NonFatal)
    }

    /// The first thread that there is.
    pub(crate) fn first(&mut self) -> Tid {
        let running = |phase: Phase| !matches!(phase, Phase::Reset | Phase::Ended);
        let core = self.chip().slots().iter().position(|slot| running(slot.phase));
        thread(CoreId(core.unwrap_or(0) as u16))
    }

    /// gdb has gone.
    pub(crate) fn release(&mut self) {
        self.chip().clear_breaks();
        *self = ChipTarget { chip: self.chip.take(), ..ChipTarget::new() };
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

    fn support_single_step(&mut self) -> Option<MultiThreadSingleStepOps<'_, Self>> {
        Some(self)
    }

    fn support_scheduler_locking(&mut self) -> Option<MultiThreadSchedulerLockingOps<'_, Self>> {
        Some(self)
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
        let chip = self.chip.as_ref().ok_or("no chip")?;
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
        let text = monitor_commands::answer(self.chip(), &String::from_utf8_lossy(command));
        out.write_raw(text.as_bytes());
        Ok(())
    }
}
