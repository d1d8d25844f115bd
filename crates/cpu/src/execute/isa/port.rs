//! IN and OUT, with IOPL and the I/O permission bitmap of the TSS.

use iced_x86::Mnemonic;
use rockcreek_defs::BusRequest;

use crate::core::parts::Core;
use crate::execute::op::{Handler, Op, sized};
use crate::instruction::shape::{Form, Shape};
use crate::memory::access_path::Intent;
use crate::registers::register_file::gpr;
use crate::state::exception::Done;
use crate::system::virtual_8086::BITMAP_POINTER;

impl Core {
    /// Raises #GP(0) unless the program may use the `size` ports from `port` on: by its privilege
    /// level (IOPL), or by the permission bitmap of its TSS.
    pub(crate) fn check_port(&mut self, port: u16, size: u32) -> Done {
        let state = &self.state;
        let by_level = !state.virtual_8086() && state.cpl <= state.iopl();
        if !state.protected() || by_level {
            return Ok(());
        }
        let task = self.state.tr;
        let is_32_bit = task.attributes & 8 != 0;
        if !task.present() || !is_32_bit || task.limit < BITMAP_POINTER + 1 {
            return Err(self.protection());
        }
        let pointer = task.base.wrapping_add(BITMAP_POINTER);
        let start = self.read_linear(pointer, 2, Intent::SYSTEM)? as u32;
        let byte = start + u32::from(port) / 8;
        if byte + 1 > task.limit {
            return Err(self.protection());
        }
        let bits = self.read_linear(task.base.wrapping_add(byte), 2, Intent::SYSTEM)? as u32;
        let wanted = ((1 << size) - 1) << (port % 8);
        if bits & wanted == 0 { Ok(()) } else { Err(self.protection()) }
    }

    fn port_number<const IMMEDIATE: bool>(&self, op: &Op) -> u16 {
        if IMMEDIATE { op.immediate as u8 as u16 } else { self.state.general[gpr::EDX] as u16 }
    }
}

fn input<const SIZE: usize, const IMMEDIATE: bool>(core: &mut Core, op: &Op) -> Done {
    let port = core.port_number::<IMMEDIATE>(op);
    core.check_port(port, SIZE as u32)?;
    let value = core.port(BusRequest::IoRead { port, size: SIZE as u8 })?;
    core.set_register::<SIZE>(gpr::EAX as u8, value);
    Ok(())
}

fn output<const SIZE: usize, const IMMEDIATE: bool>(core: &mut Core, op: &Op) -> Done {
    let port = core.port_number::<IMMEDIATE>(op);
    core.check_port(port, SIZE as u32)?;
    let data = core.register::<SIZE>(gpr::EAX as u8);
    core.port(BusRequest::IoWrite { port, size: SIZE as u8, data })?;
    Ok(())
}

pub(crate) fn select(shape: &Shape) -> Option<Handler> {
    Some(match shape.mnemonic {
        Mnemonic::In if shape.form == Form::RI => sized!(shape.size, input, true),
        Mnemonic::In => sized!(shape.size, input, false),
        Mnemonic::Out if shape.immediate_first => sized!(shape.second_size, output, true),
        Mnemonic::Out => sized!(shape.second_size, output, false),
        _ => return None,
    })
}
