//! Control and debug registers, caches, TLB, halt, interrupt flag, time stamp, MSRs, CPUID.

use iced_x86::Mnemonic;

use crate::core::parts::Core;
use crate::execute::op::{Handler, Op, wide};
use crate::instruction::shape::{Form, Shape};
use crate::registers::debug::DR7_GENERAL_DETECT;
use crate::registers::flags;
use crate::registers::register_file::{cr0, cr4, gpr};
use crate::state::core_state::Activity;
use crate::state::exception::{Done, vector};
use crate::state::transaction::Target;
use crate::system::virtual_8086::InterruptFlag;

const DR6_GENERAL_DETECT: u32 = 1 << 13;
/// The bits of CR3 that exist: the page directory's address, PWT and PCD.
const CR3_EXISTING: u32 = 0xFFFF_F018;
/// MSW: the part of CR0 that LMSW can change.
const MSW_LOADABLE: u32 = cr0::PE | cr0::MP | cr0::EM | cr0::TS;

impl Core {
    /// Drops TLB entries and fetched code after a change of paging or control registers.
    fn forget_translations(&mut self) {
        self.tlbs.flush();
        self.fetch_anew();
    }

    /// Ends the block, so that the code after this instruction is fetched anew.
    fn fetch_anew(&mut self) {
        self.fetched.forget();
        self.look_up();
    }

    /// Loads CR3, and flushes the TLBs.
    pub(crate) fn load_cr3(&mut self, value: u32) {
        self.state.cr3 = value & CR3_EXISTING;
        self.forget_translations();
    }

    fn write_cr0(&mut self, value: u32) -> Done {
        let value = value & cr0::EXISTING | cr0::ET;
        let paging_without_protection = value & cr0::PG != 0 && value & cr0::PE == 0;
        let write_back_while_off = value & cr0::NW != 0 && value & cr0::CD == 0;
        if paging_without_protection || write_back_while_off {
            return Err(self.protection());
        }
        let changed = value ^ self.state.cr0;
        self.state.cr0 = value;
        if changed & (cr0::PG | cr0::PE | cr0::WP) != 0 {
            self.forget_translations();
        }
        if changed & cr0::CD != 0 {
            self.fetch_anew();
        }
        self.state.refresh_needs();
        self.look_up();
        Ok(())
    }

    fn write_cr4(&mut self, value: u32) -> Done {
        if value & !cr4::EXISTING != 0 {
            return Err(self.protection());
        }
        if (value ^ self.state.cr4) & (cr4::PSE | cr4::MPE) != 0 {
            self.forget_translations();
        }
        self.state.cr4 = value;
        self.rearm();
        Ok(())
    }

    fn check_debug_access(&mut self, number: usize) -> Done {
        self.require_ring0()?;
        if matches!(number, 4 | 5) && self.state.cr4 & cr4::DE != 0 {
            return Err(self.raise(vector::INVALID_OPCODE));
        }
        if self.state.debug[7] & DR7_GENERAL_DETECT != 0 {
            self.state.debug[6] |= DR6_GENERAL_DETECT;
            return Err(self.raise(vector::DEBUG));
        }
        Ok(())
    }
}

/// The index of a debug register. DR4 and DR5 are other names of DR6 and DR7.
fn debug_index(number: u8) -> usize {
    match number & 7 {
        4 => 6,
        5 => 7,
        other => usize::from(other),
    }
}

fn mov_from_control(core: &mut Core, op: &Op) -> Done {
    core.require_ring0()?;
    let value = match op.b {
        0 => core.state.cr0,
        2 => core.state.cr2,
        3 => core.state.cr3,
        4 => core.state.cr4,
        _ => return Err(core.raise(vector::INVALID_OPCODE)),
    };
    core.set_register::<4>(op.a, value);
    Ok(())
}

fn mov_to_control(core: &mut Core, op: &Op) -> Done {
    core.require_ring0()?;
    let value = core.register::<4>(op.b);
    match op.a {
        0 => core.write_cr0(value)?,
        2 => core.state.cr2 = value,
        3 => core.load_cr3(value),
        4 => core.write_cr4(value)?,
        _ => return Err(core.raise(vector::INVALID_OPCODE)),
    }
    Ok(())
}

fn mov_from_debug(core: &mut Core, op: &Op) -> Done {
    core.check_debug_access(usize::from(op.b))?;
    let value = core.state.debug[debug_index(op.b)];
    core.set_register::<4>(op.a, value);
    Ok(())
}

fn mov_to_debug(core: &mut Core, op: &Op) -> Done {
    core.check_debug_access(usize::from(op.a))?;
    core.write_debug(debug_index(op.a), core.register::<4>(op.b));
    Ok(())
}

fn load_msw<const MEMORY: bool>(core: &mut Core, op: &Op) -> Done {
    core.require_ring0()?;
    let value = core.operand::<2, MEMORY>(op, op.a)?;
    // LMSW can set PE but not clear it.
    let loaded = value & MSW_LOADABLE | core.state.cr0 & cr0::PE;
    core.write_cr0(core.state.cr0 & !MSW_LOADABLE | loaded)
}

fn store_msw(core: &mut Core, op: &Op) -> Done {
    core.store::<2>(op, core.state.cr0)
}

fn store_msw_in_register<const SIZE: usize>(core: &mut Core, op: &Op) -> Done {
    core.set_register::<SIZE>(op.a, core.state.cr0);
    Ok(())
}

fn clear_task_switched(core: &mut Core, _: &Op) -> Done {
    core.require_ring0()?;
    core.state.cr0 &= !cr0::TS;
    Ok(())
}

fn invalidate_page(core: &mut Core, op: &Op) -> Done {
    core.require_ring0()?;
    let base = core.state.segments[core.segment_of(op) & 7].base;
    let linear = base.wrapping_add(core.address(op));
    core.tlbs.data.invalidate(linear >> 12);
    core.tlbs.data_large.invalidate(linear >> 22);
    if core.state.cr4 & cr4::PSE == 0 {
        core.tlbs.code.invalidate(linear >> 12);
    } else {
        // The code TLB holds a page of 4 MB in pieces of 4 KB.
        core.tlbs.code.invalidate_large(linear >> 22);
    }
    core.fetch_anew();
    Ok(())
}

fn invalidate_caches(core: &mut Core, _: &Op) -> Done {
    core.require_ring0()?;
    if core.watches_accesses() {
        core.note_drops(&core.caches.dirty_lines());
    }
    core.caches.invd();
    core.fetch_anew();
    Ok(())
}

fn write_back_caches(core: &mut Core, _: &Op) -> Done {
    core.require_ring0()?;
    // WBINVD is executed again after each write-back until L1 is clean; lines written so far stay
    // clean.
    let step = core.caches.wbinvd();
    core.finish(step, Target::Walk)?;
    core.fetch_anew();
    Ok(())
}

fn halt(core: &mut Core, _: &Op) -> Done {
    core.require_ring0()?;
    core.await_bus();
    core.state.activity = Activity::Halted;
    core.look_up();
    Ok(())
}

fn clear_interrupt_flag(core: &mut Core, _: &Op) -> Done {
    match core.interrupt_flag()? {
        InterruptFlag::Real => core.state.system_flags &= !flags::IF,
        InterruptFlag::Virtual => core.set_virtual_flag(false),
    }
    Ok(())
}

/// STI. Interrupts stay off for one more instruction if they were off.
fn set_interrupt_flag(core: &mut Core, _: &Op) -> Done {
    if core.interrupt_flag()? == InterruptFlag::Virtual {
        if core.state.system_flags & flags::VIP != 0 {
            return Err(core.protection());
        }
        core.set_virtual_flag(true);
        return Ok(());
    }
    if core.state.system_flags & flags::IF == 0 {
        core.state.system_flags |= flags::IF;
        core.state.shadow = true;
        core.look_up();
    }
    Ok(())
}

fn read_time_stamp(core: &mut Core, _: &Op) -> Done {
    if core.state.cr4 & cr4::TSD != 0 && core.state.cpl != 0 {
        return Err(core.protection());
    }
    core.state.counters.clock_reads += 1;
    let tsc = core.tsc();
    core.state.general[gpr::EAX] = tsc as u32;
    core.state.general[gpr::EDX] = (tsc >> 32) as u32;
    Ok(())
}

fn read_msr(core: &mut Core, _: &Op) -> Done {
    core.require_ring0()?;
    let value = core.read_msr(core.state.general[gpr::ECX])?;
    core.state.general[gpr::EAX] = value as u32;
    core.state.general[gpr::EDX] = (value >> 32) as u32;
    Ok(())
}

fn write_msr(core: &mut Core, _: &Op) -> Done {
    core.require_ring0()?;
    let general = &core.state.general;
    let value = u64::from(general[gpr::EDX]) << 32 | u64::from(general[gpr::EAX]);
    core.write_msr(core.state.general[gpr::ECX], value)
}

fn identify(core: &mut Core, _: &Op) -> Done {
    let [eax, ebx, ecx, edx] = core.cpuid(core.state.general[gpr::EAX]);
    let general = &mut core.state.general;
    (general[gpr::EAX], general[gpr::EBX]) = (eax, ebx);
    (general[gpr::ECX], general[gpr::EDX]) = (ecx, edx);
    Ok(())
}

fn nothing(_: &mut Core, _: &Op) -> Done {
    Ok(())
}

fn select_special_mov(shape: &Shape) -> Handler {
    match (shape.first_is_control, shape.second_is_control, shape.first_is_debug) {
        (true, _, _) => mov_to_control,
        (_, true, _) => mov_from_control,
        (_, _, true) => mov_to_debug,
        _ => mov_from_debug,
    }
}

pub(crate) fn select(shape: &Shape) -> Option<Handler> {
    Some(match shape.mnemonic {
        Mnemonic::Mov if shape.special_register => select_special_mov(shape),
        Mnemonic::Lmsw if shape.form == Form::M => load_msw::<true>,
        Mnemonic::Lmsw => load_msw::<false>,
        Mnemonic::Smsw if shape.form == Form::M => store_msw,
        Mnemonic::Smsw => wide!(shape.size, store_msw_in_register),
        Mnemonic::Clts => clear_task_switched,
        Mnemonic::Invlpg => invalidate_page,
        Mnemonic::Invd => invalidate_caches,
        Mnemonic::Wbinvd => write_back_caches,
        Mnemonic::Hlt => halt,
        Mnemonic::Cli => clear_interrupt_flag,
        Mnemonic::Sti => set_interrupt_flag,
        Mnemonic::Rdtsc => read_time_stamp,
        Mnemonic::Rdmsr => read_msr,
        Mnemonic::Wrmsr => write_msr,
        Mnemonic::Cpuid => identify,
        // To a Pentium, PAUSE (F3 90) is a NOP with a meaningless prefix. The long NOPs (0F 1F) are
        // #UD.
        Mnemonic::Nop if shape.operands == 0 => nothing,
        Mnemonic::Pause => nothing,
        _ => return None,
    })
}
