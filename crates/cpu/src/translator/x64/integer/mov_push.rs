//! The stores of MOV and PUSH, which change only memory and ESP. The slow path can perform them
//! too, when execution continues at another place afterwards.

use dynasmrt::{DynasmApi, dynasm};

use crate::instruction::shape::Form;
use crate::translator::regions::collect::Item;
use crate::translator::x64::encoding::host_registers::{ESP, RCX};
use crate::translator::x64::host;
use crate::translator::x64::region::coverage::{Kind, kind};
use crate::translator::x64::region::emit::Emitter;

/// The value that a MOV or PUSH of the guest stores in memory.
#[derive(Clone, Copy, Debug)]
enum Value {
    /// The value of the guest register with this number.
    Register(u8),
    Immediate(i32),
}

/// A store of MOV or PUSH, without its address: the value, its size in bytes, and whether it is a
/// PUSH.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moved {
    value: Value,
    size: usize,
    pushes: bool,
}

impl Moved {
    pub fn of(item: &Item) -> Option<Moved> {
        let (shape, op) = (item.shape(), item.op());
        let immediate = Value::Immediate(op.immediate as i32);
        Some(match (kind(item)?, shape.form) {
            (Kind::Move, Form::MR) => {
                Moved { value: Value::Register(op.b), size: shape.size, pushes: false }
            }
            (Kind::Move, Form::MI) => Moved { value: immediate, size: shape.size, pushes: false },
            (Kind::Push, Form::R) => Moved { value: Value::Register(op.a), size: 4, pushes: true },
            (Kind::Push, _) => Moved { value: immediate, size: 4, pushes: true },
            _ => return None,
        })
    }
}

pub(in crate::translator) fn is_moved(item: &Item) -> bool {
    Moved::of(item).is_some()
}

impl Emitter<'_> {
    /// Emits the store to RDX + RAX; for a push, also copies the address in EAX to ESP. Clobbers
    /// ECX.
    pub fn store_moved(&mut self, moved: &Moved) {
        match (moved.value, moved.size) {
            (Value::Immediate(i), 1) => {
                dynasm!(self.asm ; .arch x64 ; mov BYTE [rdx + rax], BYTE i as i8);
            }
            (Value::Immediate(i), 2) => {
                dynasm!(self.asm ; .arch x64 ; mov WORD [rdx + rax], WORD i as i16);
            }
            (Value::Immediate(i), _) => {
                dynasm!(self.asm ; .arch x64 ; mov DWORD [rdx + rax], DWORD i);
            }
            (Value::Register(number), 1) => {
                let r = self.byte(number, RCX);
                dynasm!(self.asm ; .arch x64 ; mov [rdx + rax], Rb(r));
            }
            (Value::Register(number), 2) => {
                dynasm!(self.asm ; .arch x64 ; mov [rdx + rax], Rw(host(number)));
            }
            (Value::Register(number), _) => {
                dynasm!(self.asm ; .arch x64 ; mov [rdx + rax], Rd(host(number)));
            }
        }
        if moved.pushes {
            dynasm!(self.asm ; .arch x64 ; mov Rd(ESP), eax);
        }
    }
}
