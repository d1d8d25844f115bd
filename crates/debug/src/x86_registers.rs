//! The registers of a core in the order that gdb gives to the feature `org.gnu.gdb.i386.core`
//! (`gdb-manual`, appendix on standard target features): general and segment registers, eight
//! 80-bit x87 registers, x87 control. There is no SSE on a P54C.

use gdbstub::arch::{Arch, Registers};
use rockcreek_cpu::{Core, gpr, sreg};
use rockcreek_x87::{F80, Pointer};

/// The i586, as gdb knows it.
#[derive(Debug)]
pub enum I586 {}

impl Arch for I586 {
    type Usize = u32;
    type Registers = CoreRegisters;
    type BreakpointKind = usize;
    type RegId = ();

    fn target_description_xml() -> Option<&'static str> {
        Some(include_str!("i386_core.xml"))
    }
}

/// gdb's order of the general registers; the same as the instructions'.
const GENERAL: [usize; 8] =
    [gpr::EAX, gpr::ECX, gpr::EDX, gpr::EBX, gpr::ESP, gpr::EBP, gpr::ESI, gpr::EDI];
/// gdb's order of the segment registers.
const SEGMENTS: [usize; 6] = [sreg::CS, sreg::SS, sreg::DS, sreg::ES, sreg::FS, sreg::GS];
/// Bytes of all registers: 16 words, 8 times 10 bytes, 8 words, 10 words.
const IMAGE_BYTES: usize = 16 * 4 + 8 * 10 + 8 * 4 + 10 * 4;

/// One core's registers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CoreRegisters {
    pub general: [u32; 8],
    /// Linear: EIP plus the base of CS, so that gdb finds the code in every mode.
    pub pc: u32,
    pub eflags: u32,
    /// CS, SS, DS, ES, FS, GS.
    pub segments: [u32; 6],
    pub st: [F80; 8],
    /// Control, status, tag, instruction segment and offset, operand segment and offset, opcode.
    pub x87: [u32; 8],
    /// Bases of CS, SS, DS, ES, FS, GS; CR0, CR2, CR3, CR4.
    pub system: [u32; 10],
}

impl CoreRegisters {
    /// The registers of a core.
    pub fn of(core: &Core) -> CoreRegisters {
        let (registers, fpu) = (core.registers(), core.fpu());
        let Pointer { selector: code, offset: at } = fpu.instruction_pointer();
        let Pointer { selector: data, offset: operand } = fpu.operand_pointer();
        CoreRegisters {
            general: GENERAL.map(|n| registers.general[n]),
            pc: registers.segments[sreg::CS].base.wrapping_add(registers.eip),
            eflags: registers.eflags,
            segments: SEGMENTS.map(|n| registers.segments[n].selector.into()),
            st: std::array::from_fn(|n| fpu.st(n as u8)),
            x87: [
                fpu.control().into(),
                fpu.status_word().into(),
                fpu.tag_word().into(),
                code.into(),
                at,
                data.into(),
                operand,
                fpu.opcode().into(),
            ],
            system: {
                let base = |n: usize| registers.segments[SEGMENTS[n]].base;
                let control = [registers.cr0, registers.cr2, registers.cr3, registers.cr4];
                std::array::from_fn(|n| if n < 6 { base(n) } else { control[n - 6] })
            },
        }
    }

    /// Puts them into a core, or changes nothing and says false: segment registers, control
    /// registers and the x87's pointers are gdb's to see only (a load of a segment would need its
    /// descriptor). The TLBs stay unless a register outside the x87 has changed.
    pub fn write(&self, core: &mut Core) -> bool {
        let old = CoreRegisters::of(core);
        let fixed = |of: &CoreRegisters| (of.segments, of.x87[3..].to_vec(), of.system);
        if fixed(self) != fixed(&old) {
            return false;
        }
        if (self.general, self.pc, self.eflags) != (old.general, old.pc, old.eflags) {
            let mut registers = core.registers();
            for (value, n) in self.general.iter().zip(GENERAL) {
                registers.general[n] = *value;
            }
            registers.eip = self.pc.wrapping_sub(registers.segments[sreg::CS].base);
            registers.eflags = self.eflags;
            core.set_registers(&registers);
        }
        if (self.st, self.x87) != (old.st, old.x87) {
            let mut fpu = *core.fpu();
            fpu.set_control(self.x87[0] as u16);
            fpu.set_status_word(self.x87[1] as u16);
            for (n, value) in self.st.iter().enumerate() {
                fpu.set_st(n as u8, *value);
            }
            fpu.set_tag_word(self.x87[2] as u16);
            core.set_fpu(&fpu);
        }
        true
    }
}

impl Registers for CoreRegisters {
    type ProgramCounter = u32;

    fn pc(&self) -> u32 {
        self.pc
    }

    fn gdb_serialize(&self, mut write_byte: impl FnMut(Option<u8>)) {
        let mut bytes = |bytes: &[u8]| bytes.iter().for_each(|byte| write_byte(Some(*byte)));
        let first = self.general.iter().chain([&self.pc, &self.eflags]).chain(&self.segments);
        first.for_each(|word| bytes(&word.to_le_bytes()));
        for value in &self.st {
            bytes(&value.significand.to_le_bytes());
            bytes(&value.sign_exponent.to_le_bytes());
        }
        self.x87.iter().chain(&self.system).for_each(|word| bytes(&word.to_le_bytes()));
    }

    fn gdb_deserialize(&mut self, bytes: &[u8]) -> Result<(), ()> {
        if bytes.len() < IMAGE_BYTES {
            return Err(());
        }
        let (words, rest) = bytes.split_at(16 * 4);
        let (stack, control) = rest.split_at(8 * 10);
        let word = |bytes: &[u8], n: usize| {
            let part = bytes[4 * n..].first_chunk().expect("the length was checked");
            u32::from_le_bytes(*part)
        };
        self.general = std::array::from_fn(|n| word(words, n));
        (self.pc, self.eflags) = (word(words, 8), word(words, 9));
        self.segments = std::array::from_fn(|n| word(words, 10 + n));
        self.st = std::array::from_fn(|n| {
            let value = &stack[10 * n..10 * n + 10];
            let low = value.first_chunk().expect("ten bytes");
            F80 {
                significand: u64::from_le_bytes(*low),
                sign_exponent: u16::from_le_bytes([value[8], value[9]]),
            }
        });
        self.x87 = std::array::from_fn(|n| word(control, n));
        self.system = std::array::from_fn(|n| word(control, 8 + n));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn registers_come_back_from_their_image() {
        let mut registers = CoreRegisters { pc: 0x1234, ..CoreRegisters::default() };
        registers.general = std::array::from_fn(|n| n as u32 + 1);
        registers.st[3] = F80 { significand: 1 << 63, sign_exponent: 0x3FFF };
        registers.x87[7] = 0x7FF;
        registers.system[9] = 0x10;
        let mut image = Vec::new();
        registers.gdb_serialize(|byte| image.push(byte.unwrap()));
        assert_eq!(image.len(), IMAGE_BYTES);
        assert_eq!(image[32..36], [0x34, 0x12, 0, 0]);
        let mut back = CoreRegisters::default();
        back.gdb_deserialize(&image).unwrap();
        assert_eq!(back, registers);
        assert!(back.gdb_deserialize(&image[1..]).is_err());
    }
}
