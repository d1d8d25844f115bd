//! The U and V pipes: which instructions may execute together.
//!
//! Source: `fog-microarchitecture`, the chapters on the P1, and `intel-pentium-manual`. Two
//! neighbours pair if the first may go to U and the second to V, and the second neither reads nor
//! writes a register that the first writes; parts of a register count as the whole. Flags prevent
//! no pairing: the only reader of flags in V is a conditional jump, which waits for no result.
//! PUSH, POP and CALL share ESP without waiting. An instruction with a displacement and an
//! immediate operand does not pair, one with a prefix goes to U only.
//!
//! Left out: on silicon an instruction of more than one byte does not pair when it executes for the
//! first time after its line came into L1I.

use iced_x86::{Instruction, InstructionInfoFactory, Mnemonic, OpAccess, Register};
use rockcreek_x87::{Pairing, describe};
use serde::{Deserialize, Serialize};

use crate::instruction::shape::{Branch, Shape};
use crate::registers::register_file::gpr;
use crate::timing::instruction_costs::Costs;

const ESP: u8 = 1 << gpr::ESP;

/// The pipes in which an instruction may execute, as its row in `machine/isa` gives them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pipes {
    /// In U only, and no instruction may execute in V beside it.
    Alone,
    /// In U only; another instruction may execute in V.
    First,
    /// In V beside another instruction in U; alone in U otherwise.
    Second,
    Both,
}

/// What decides how an instruction pairs and what it costs in pipes U and V.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct Pipe {
    /// The general registers that the instruction reads, and those that it writes; a bit each.
    pub reads: u8,
    pub writes: u8,
    /// The registers from which the instruction's addresses are computed, a bit each. The
    /// instruction waits for a clock if one of them is in the `late` set of the clock before (AGI).
    /// Pairing does not depend on this field.
    pub addresses: u8,
    /// The written registers from which an address cannot be computed in the next clock (AGI), a
    /// bit each.
    pub late: u8,
    traits: u16,
    /// The number of prefix bytes, each of which takes a clock of decoding.
    pub prefixes: u8,
    /// The instruction's clocks when it executes alone; 0 for x87 instructions, which
    /// `x87_latency.rs` charges.
    pub clocks: u16,
    /// For how many clocks, beyond its first, the instruction hides the decoding of prefixes that
    /// follow.
    pub hides: u8,
}

/// The bits of [`Pipe::traits`].
pub(crate) mod traits {
    pub const FIRST: u16 = 1 << 0;
    pub const SECOND: u16 = 1 << 1;
    pub const MEMORY: u16 = 1 << 2;
    /// The instruction changes ESP implicitly (PUSH, POP, CALL), and the next instruction of this
    /// kind need not wait for ESP.
    pub const STACK: u16 = 1 << 3;
    pub const FLOAT: u16 = 1 << 4;
    /// The instruction is FXCH.
    pub const EXCHANGE: u16 = 1 << 5;
    pub const WITH_EXCHANGE: u16 = 1 << 6;
    /// The instruction is a near branch.
    pub const BRANCH: u16 = 1 << 7;
    pub const CONDITIONAL: u16 = 1 << 8;
}

impl Pipe {
    pub fn has(&self, any: u16) -> bool {
        self.traits & any != 0
    }

    pub fn branch(&self) -> Branch {
        match (self.has(traits::BRANCH), self.has(traits::CONDITIONAL)) {
            (false, _) => Branch::None,
            (true, false) => Branch::Always,
            (true, true) => Branch::Conditional,
        }
    }

    /// True if `second`, the next instruction, can execute in V while this one is in U.
    pub fn pairs_with(&self, second: &Pipe) -> bool {
        if second.has(traits::EXCHANGE) {
            return self.has(traits::WITH_EXCHANGE);
        }
        let shared = if self.traits & second.traits & traits::STACK != 0 { ESP } else { 0 };
        let needed = (second.reads | second.writes) & !shared;
        self.has(traits::FIRST) && second.has(traits::SECOND) && self.writes & needed == 0
    }
}

/// A decoded instruction: the input of [`pipe`].
pub(crate) struct Encoded<'a> {
    pub instruction: &'a Instruction,
    pub shape: &'a Shape,
    pub costs: Option<Costs>,
    pub prefixes: u8,
    /// True if the instruction has both a displacement and an immediate operand.
    pub both_constants: bool,
}

/// The properties of a decoded instruction that the pipes depend on.
pub(crate) fn pipe(encoded: &Encoded<'_>) -> Pipe {
    let mut pipe = Pipe { prefixes: encoded.prefixes, ..Pipe::default() };
    use_registers(&mut pipe, encoded.instruction);
    pipe.traits |= branch_traits(encoded.shape);
    if let Some(form) = describe(encoded.shape.code) {
        pipe.traits |= traits::FLOAT;
        pipe.hides = form.cost.alone().saturating_sub(1) as u8;
        match form.cost.pairing {
            Pairing::Alone => {}
            Pairing::WithExchange => pipe.traits |= traits::WITH_EXCHANGE,
            Pairing::Exchange => {
                pipe.traits |= traits::EXCHANGE;
                pipe.clocks = form.cost.clocks[0];
            }
        }
    } else if let Some(costs) = encoded.costs {
        pipe.clocks = costs.clocks;
        pipe.hides = costs.clocks.saturating_sub(1).min(u16::from(u8::MAX)) as u8;
        if encoded.instruction.has_lock_prefix() || costs.clocks == 0 {
            // A locked instruction's accesses hide any decoding; its row does not contain their
            // clocks.
            pipe.hides = u8::MAX;
        }
        let (first, second) = match costs.pipes {
            _ if encoded.both_constants || encoded.instruction.has_lock_prefix() => (false, false),
            Pipes::Alone => (false, false),
            Pipes::First => (true, false),
            Pipes::Second => (false, true),
            Pipes::Both => (true, true),
        };
        if first {
            pipe.traits |= traits::FIRST;
        }
        if second && encoded.prefixes == 0 {
            pipe.traits |= traits::SECOND;
        }
    }
    pipe
}

fn branch_traits(shape: &Shape) -> u16 {
    use Mnemonic::{Call, Jcxz, Jecxz, Jmp, Loop, Loope, Loopne, Ret};
    match shape.mnemonic {
        _ if shape.far => 0,
        Jmp | Call | Ret => traits::BRANCH,
        Loop | Loope | Loopne | Jcxz | Jecxz => traits::BRANCH | traits::CONDITIONAL,
        _ if shape.is_branch && shape.condition.is_some() => traits::BRANCH | traits::CONDITIONAL,
        _ => 0,
    }
}

fn use_registers(pipe: &mut Pipe, instruction: &Instruction) {
    let mut factory = InstructionInfoFactory::new();
    let info = factory.info(instruction);
    for used in info.used_registers() {
        let bit = register_bit(used.register());
        let access = used.access();
        if !matches!(access, OpAccess::Write | OpAccess::CondWrite | OpAccess::NoMemAccess) {
            pipe.reads |= bit;
        }
        if !matches!(access, OpAccess::Read | OpAccess::CondRead | OpAccess::NoMemAccess) {
            pipe.writes |= bit;
        }
    }
    // LEA accesses no memory, but computes an address.
    for register in [instruction.memory_base(), instruction.memory_index()] {
        pipe.addresses |= register_bit(register);
    }
    for memory in info.used_memory() {
        pipe.addresses |= register_bit(memory.base()) | register_bit(memory.index());
        if memory.access() != OpAccess::NoMemAccess {
            pipe.traits |= traits::MEMORY;
        }
    }
    pipe.late = pipe.writes;
    if instruction.is_stack_instruction() {
        pipe.traits |= traits::STACK;
        // The pipes predict ESP for the next instruction, but not after RET n and POP ESP.
        let returns = instruction.mnemonic() == Mnemonic::Ret && instruction.op_count() > 0;
        let pops = instruction.mnemonic() == Mnemonic::Pop
            && instruction.op0_register().full_register32() == Register::ESP;
        if !returns && !pops {
            pipe.late &= !ESP;
        }
    }
}

fn register_bit(register: Register) -> u8 {
    if register.is_gpr() { 1 << (register.full_register32().number() & 7) } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frontend::decode::{Decoded, decode};

    fn pipe_of(bytes: &[u8]) -> Pipe {
        match decode(bytes, true) {
            Decoded::Op { pipe, .. } => pipe,
            Decoded::Incomplete => panic!("incomplete"),
        }
    }

    fn pair(first: &[u8], second: &[u8]) -> bool {
        pipe_of(first).pairs_with(&pipe_of(second))
    }

    const MOV_EAX_1: [u8; 5] = [0xB8, 1, 0, 0, 0];
    const INC_EBX: [u8; 1] = [0x43];

    #[test]
    fn registers_decide() {
        assert!(pair(&MOV_EAX_1, &INC_EBX));
        assert!(!pair(&MOV_EAX_1, &[0x40])); // inc eax reads it
        assert!(!pair(&[0x89, 0xD8], &MOV_EAX_1)); // mov eax, ebx: both write it
        assert!(pair(&[0x89, 0xC3], &MOV_EAX_1)); // mov ebx, eax reads what is then written
        assert!(!pair(&[0xB0, 0x01], &[0x88, 0xE3])); // mov al, 1; mov bl, ah: parts are the whole
        assert!(!pair(&MOV_EAX_1, &[0x8B, 0x18])); // mov ebx, [eax]
    }

    #[test]
    fn the_rows_give_the_pipes() {
        assert!(pair(&[0xD1, 0xE0], &INC_EBX)); // shl eax, 1
        assert!(!pair(&INC_EBX, &[0xD1, 0xE0]));
        assert!(!pair(&[0xD3, 0xE0], &INC_EBX)); // shl eax, cl
        assert!(!pair(&[0xF7, 0xD8], &INC_EBX)); // neg eax
        assert!(pair(&[0x39, 0xD8], &[0x75, 0x00])); // cmp eax, ebx; jnz
        assert!(pair(&[0x39, 0xD8], &[0x0F, 0x85, 0, 0, 0, 0])); // near
        assert!(!pair(&[0x75, 0x00], &INC_EBX));
        assert!(pair(&[0xA9, 1, 0, 0, 0], &INC_EBX)); // test eax, 1
        assert!(!pair(&[0xF7, 0xC1, 1, 0, 0, 0], &INC_EBX)); // test ecx, 1
    }

    #[test]
    fn the_stack_pointer_is_foreseen() {
        assert!(pair(&[0x50], &[0x53])); // push eax; push ebx
        assert!(pair(&[0x58], &[0x5B])); // pop eax; pop ebx
        assert!(pair(&[0x50], &[0xE8, 0, 0, 0, 0])); // push eax; call
        assert!(!pair(&[0x83, 0xC4, 4], &[0x58])); // add esp, 4; pop eax
        assert!(!pair(&[0x50], &[0x8B, 0x44, 0x24, 0x04])); // push eax; mov eax, [esp+4]
    }

    #[test]
    fn prefixes_and_constants_hinder() {
        assert!(pair(&[0x66, 0x89, 0xD8], &INC_EBX)); // mov ax, bx in U
        assert!(!pair(&INC_EBX, &[0x66, 0x89, 0xC8])); // mov ax, cx in V
        assert!(!pair(&[0xC7, 0x43, 4, 1, 0, 0, 0], &INC_EBX)); // mov dword [ebx+4], 1
        assert!(pair(&[0xC7, 0x00, 1, 0, 0, 0], &INC_EBX)); // mov dword [eax], 1
        assert_eq!(pipe_of(&[0x0F, 0xB6, 0xC3]).prefixes, 1); // movzx eax, bl
        assert_eq!(pipe_of(&[0x66, 0x0F, 0xB6, 0xC3]).prefixes, 2);
        assert_eq!(pipe_of(&[0xF3, 0xA5]).prefixes, 1); // rep movsd
    }

    #[test]
    fn fxch_goes_beside_what_its_row_says() {
        let exchange = [0xD9, 0xC9];
        assert!(pair(&[0xD8, 0xC1], &exchange)); // fadd st0, st1
        assert!(pair(&[0xD9, 0x03], &exchange)); // fld dword [ebx]
        assert!(!pair(&[0xD9, 0xFA], &exchange)); // fsqrt
        assert!(!pair(&exchange, &exchange));
        assert!(!pair(&[0xD8, 0xC1], &INC_EBX));
        assert!(!pair(&INC_EBX, &exchange));
    }
}
