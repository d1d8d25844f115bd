//! One to three instructions before the one of the case.
//!
//! A core that computes flags only when they are asked for holds them in a form that depends on
//! the instruction that set them. Loaded flags never show that: what comes before the instruction
//! does, above all where it sets only some flags (INC after ADD) or none (a shift by zero).

use iced_x86::{Instruction, InstructionInfoFactory, Mnemonic};

use crate::generate::number;
use crate::random::Random;

const ESP: usize = 4;

/// Bytes of the instructions, and how many they are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Prelude {
    pub bytes: Vec<u8>,
    pub count: u32,
}

/// Instructions on registers that define all arithmetic flags and never fault. They change no
/// register that the instruction of the case uses.
pub fn prelude(instruction: &Instruction, random: &mut Random) -> Prelude {
    let mut prelude = Prelude::default();
    let free = free_registers(instruction);
    // ADD, SUB, CMP, ADC, SBB: their places in the opcode's bits 3 to 5.
    const TWO_OPERANDS: [u8; 5] = [0x00, 0x28, 0x38, 0x10, 0x18];
    const COMPARE: u8 = 0x38;
    for _ in 0..1 + random.below(3) {
        let source = random.below(8) as u8;
        let target = if free.is_empty() { None } else { Some(random.pick(&free)) };
        let operand_16 = random.chance(25);
        if operand_16 {
            prelude.bytes.push(0x66);
        }
        match (target, random.below(4)) {
            (Some(target), 0) => prelude.bytes.push(random.pick(&[0x40, 0x48]) | target),
            (Some(target), 1) => prelude.bytes.extend([0xF7, 0xD8 | target]), // NEG
            (Some(target), _) => {
                let opcode = random.pick(&TWO_OPERANDS) | 1;
                prelude.bytes.extend([opcode, 0xC0 | source << 3 | target]);
            }
            // Of bytes or of words; all registers may be compared.
            (None, width) => {
                let opcode = COMPARE | u8::from(width > 1);
                prelude.bytes.extend([opcode, 0xC0 | source << 3 | random.below(8) as u8]);
            }
        }
        prelude.count += 1;
    }
    prelude
}

/// General registers that the instruction does not use.
fn free_registers(instruction: &Instruction) -> Vec<u8> {
    let mut factory = InstructionInfoFactory::new();
    let info = factory.info(instruction);
    let mut used = [false; 8];
    used[ESP] = true;
    for register in info.used_registers().iter().map(|used| used.register()) {
        if register.is_gpr() {
            used[number(register)] = true;
        }
    }
    // The decoder does not list what these may use.
    let implicit = matches!(
        instruction.mnemonic(),
        Mnemonic::Popa | Mnemonic::Popad | Mnemonic::Pusha | Mnemonic::Pushad | Mnemonic::Enter
    );
    (0..8).filter(|&i| !implicit && !used[usize::from(i)]).collect()
}
