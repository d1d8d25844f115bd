//! MOVS, STOS, LODS, SCAS, CMPS, INS, OUTS, alone and repeated.
//!
//! Each iteration of a repeated instruction commits. After an interrupt, a fault or a wait, the
//! instruction resumes at the iteration that it had reached. The start-up clocks are charged when
//! the instruction ends, and `extra` clocks for each iteration.

use iced_x86::{Code, Mnemonic};
use rockcreek_defs::BusRequest;

use crate::core::parts::Core;
use crate::execute::op::{Handler, Op, prefix, sized};
use crate::instruction::shape::Shape;
use crate::registers::flags;
use crate::registers::register_file::{gpr, sreg};
use crate::state::exception::{Done, Stop};

pub(crate) const MOVS: u8 = 0;
pub(crate) const STOS: u8 = 1;
pub(crate) const LODS: u8 = 2;
pub(crate) const SCAS: u8 = 3;
pub(crate) const CMPS: u8 = 4;
const INS: u8 = 5;
const OUTS: u8 = 6;

const EAX: u8 = gpr::EAX as u8;

impl Core {
    /// Raises the faults that the write of a string element to ES:`offset` would raise, without the
    /// clocks that a misaligned access costs.
    fn probe_element(&mut self, offset: u32, size: u32) -> Done {
        let (cycles, misaligned) = (self.state.extra_cycles, self.state.misaligned);
        let done = self.probe_write(sreg::ES, offset, size);
        (self.state.extra_cycles, self.state.misaligned) = (cycles, misaligned);
        done
    }

    /// Moves ESI or EDI (`register`) by one element: forward, or back if DF is set. Only the bits
    /// of the address size change.
    #[inline(always)]
    fn advance_index<const SIZE: usize>(&mut self, op: &Op, register: usize) {
        let down = self.state.system_flags & flags::DF != 0;
        let step = if down { (SIZE as u32).wrapping_neg() } else { SIZE as u32 };
        let old = self.state.general[register];
        let mask = op.address_mask;
        self.state.general[register] = old & !mask | old.wrapping_add(step) & mask;
    }

    #[inline(always)]
    pub(crate) fn compare<const SIZE: usize>(&mut self, left: u32, right: u32) {
        let result = left.wrapping_sub(right);
        self.state.flags.after_sub::<SIZE>(left, right, result);
    }
}

/// Executes one element: all accesses first, then the registers.
#[inline(always)]
fn element<const SIZE: usize, const KIND: u8>(core: &mut Core, op: &Op) -> Done {
    let mask = op.address_mask;
    let source = core.state.general[gpr::ESI] & mask;
    let target = core.state.general[gpr::EDI] & mask;
    let segment = core.segment_of(op);
    match KIND {
        MOVS => {
            let value = core.read::<SIZE>(segment, source)?;
            core.write::<SIZE>(sreg::ES, target, value)?;
        }
        STOS => core.write::<SIZE>(sreg::ES, target, core.register::<SIZE>(EAX))?,
        LODS => {
            let value = core.read::<SIZE>(segment, source)?;
            core.set_register::<SIZE>(EAX, value);
        }
        SCAS => {
            let value = core.read::<SIZE>(sreg::ES, target)?;
            core.compare::<SIZE>(core.register::<SIZE>(EAX), value);
        }
        CMPS => {
            let left = core.read::<SIZE>(segment, source)?;
            let right = core.read::<SIZE>(sreg::ES, target)?;
            core.compare::<SIZE>(left, right);
        }
        INS => {
            let port = core.register::<2>(gpr::EDX as u8) as u16;
            core.check_port(port, SIZE as u32)?;
            // A device may forget what was read, so the write must not fault afterwards.
            core.probe_element(target, SIZE as u32)?;
            let value = core.port(BusRequest::IoRead { port, size: SIZE as u8 })?;
            core.write::<SIZE>(sreg::ES, target, value)?;
        }
        _ => {
            let port = core.register::<2>(gpr::EDX as u8) as u16;
            core.check_port(port, SIZE as u32)?;
            let data = core.read::<SIZE>(segment, source)?;
            core.port(BusRequest::IoWrite { port, size: SIZE as u8, data })?;
        }
    }
    if matches!(KIND, MOVS | LODS | CMPS | OUTS) {
        core.advance_index::<SIZE>(op, gpr::ESI);
    }
    if !matches!(KIND, LODS | OUTS) {
        core.advance_index::<SIZE>(op, gpr::EDI);
    }
    Ok(())
}

pub(crate) fn string<const SIZE: usize, const KIND: u8>(core: &mut Core, op: &Op) -> Done {
    if op.repeated() {
        repeat::<SIZE, KIND>(core, op, |_, _| Ok(false))
    } else {
        element::<SIZE, KIND>(core, op)
    }
}

/// Executes a repeated string instruction. Before each iteration, `ahead` may execute several
/// iterations in a faster way; it returns true if the whole instruction has ended by that. After an
/// iteration that ends at or past the core's deadline, the instruction stops with `Stop::Yield` if
/// iterations are left.
#[inline(always)]
pub(crate) fn repeat<const SIZE: usize, const KIND: u8>(
    core: &mut Core,
    op: &Op,
    mut ahead: impl FnMut(&mut Core, &Op) -> Result<bool, Stop>,
) -> Done {
    let mask = op.address_mask;
    if matches!(KIND, INS | OUTS) && core.state.general[gpr::ECX] & mask == 0 {
        // Check the right to use the port even if ECX is 0 and there is no element.
        let port = core.register::<2>(gpr::EDX as u8) as u16;
        core.check_port(port, SIZE as u32)?;
    }
    while !ahead(core, op)? && core.state.general[gpr::ECX] & mask != 0 {
        element::<SIZE, KIND>(core, op)?;
        let ecx = core.state.general[gpr::ECX];
        let left = ecx.wrapping_sub(1) & mask;
        core.state.general[gpr::ECX] = ecx & !mask | left;
        core.state.cycles += u64::from(op.extra);
        core.charge_extra();
        if matches!(KIND, SCAS | CMPS) && core.state.flags.zf() != goes_on_equal(op) {
            break;
        }
        if core.state.cycles >= core.deadline && left != 0 {
            return Err(Stop::Yield);
        }
        core.log.clear();
    }
    Ok(())
}

/// True if a repeated SCAS or CMPS continues while elements are equal (REPE); false if it continues
/// while they differ (REPNE).
pub(crate) fn goes_on_equal(op: &Op) -> bool {
    op.prefixes & prefix::REP != 0
}

pub(crate) fn select(shape: &Shape) -> Option<Handler> {
    if matches!(shape.code, Code::Movsd_xmm_xmmm64 | Code::Movsd_xmmm64_xmm)
        || shape.code == Code::Cmpsd_xmm_xmmm64_imm8
    {
        // The SSE2 instructions MOVSD and CMPSD share their mnemonics with string instructions.
        return None;
    }
    Some(match shape.mnemonic {
        Mnemonic::Movsb | Mnemonic::Movsw | Mnemonic::Movsd => sized!(shape.size, string, MOVS),
        Mnemonic::Stosb | Mnemonic::Stosw | Mnemonic::Stosd => sized!(shape.size, string, STOS),
        Mnemonic::Lodsb | Mnemonic::Lodsw | Mnemonic::Lodsd => sized!(shape.size, string, LODS),
        Mnemonic::Scasb | Mnemonic::Scasw | Mnemonic::Scasd => sized!(shape.size, string, SCAS),
        Mnemonic::Cmpsb | Mnemonic::Cmpsw | Mnemonic::Cmpsd => sized!(shape.size, string, CMPS),
        Mnemonic::Insb | Mnemonic::Insw | Mnemonic::Insd => sized!(shape.size, string, INS),
        Mnemonic::Outsb | Mnemonic::Outsw | Mnemonic::Outsd => sized!(shape.size, string, OUTS),
        _ => return None,
    })
}
