//! One case: what is set before its instruction, and what was found after it.

use crate::layout::{self, input, output};
use crate::prelude::Prelude;

/// An instruction, and the state in which it runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    pub number: u64,
    pub bytes: Vec<u8>,
    pub prelude: Prelude,
    /// EAX, ECX, EDX, EBX, ESP, EBP, ESI, EDI.
    pub general: [u32; 8],
    pub eflags: u32,
    pub es_is_gs: bool,
    /// Address of the 256 bytes of memory.
    pub window_address: u32,
    pub window: [u8; layout::WINDOW_BYTES],
    /// FRSTOR image.
    pub fpu: [u8; layout::FPU_BYTES],
    pub kind: Kind,
}

/// What can be expected of a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The host does what a P54C does.
    Common,
    /// The host does what a P54C does, but selectors of the operating system are visible in the
    /// result.
    Selectors,
    /// A newer instruction: a P54C raises #UD; the host is not asked.
    Lacking,
}

impl Case {
    /// Where it starts.
    pub fn start(&self) -> u32 {
        layout::slot(self.number) + layout::ENTRY
    }

    /// Address of its instruction, behind the prelude.
    pub fn entry(&self) -> u32 {
        self.start() + self.prelude.bytes.len() as u32
    }

    /// The input record of the test program.
    pub fn record(&self) -> [u8; layout::RECORD_BYTES] {
        let mut record = [0; layout::RECORD_BYTES];
        for (i, value) in (0..).zip(self.general) {
            put(&mut record, input::GENERAL + 4 * i, &value.to_le_bytes());
        }
        put(&mut record, input::EFLAGS, &self.eflags.to_le_bytes());
        put(&mut record, input::ENTRY, &self.start().to_le_bytes());
        put(&mut record, input::WINDOW_ADDRESS, &self.window_address.to_le_bytes());
        put(&mut record, input::ES_IS_GS, &u32::from(self.es_is_gs).to_le_bytes());
        put(&mut record, input::FPU, &self.fpu);
        put(&mut record, input::WINDOW, &self.window);
        record
    }

    /// The bytes of its slot: the instruction, and jumps from its three ways out to `exits`.
    pub fn slot(&self, exits: [u32; 3]) -> [u8; layout::SLOT_BYTES as usize] {
        // HLT faults in ring 3, should a case arrive anywhere else.
        let mut slot = [0xF4; layout::SLOT_BYTES as usize];
        let code = [&self.prelude.bytes[..], &self.bytes].concat();
        let start = layout::ENTRY as usize;
        slot[start..start + code.len()].copy_from_slice(&code);
        let ways_out = [layout::ENTRY + code.len() as u32, layout::LANDING_A, layout::LANDING_B];
        for (place, exit) in ways_out.into_iter().zip(exits) {
            let next = layout::slot(self.number) + place + 5;
            let jump = &mut slot[place as usize..][..5];
            jump[0] = 0xE9;
            jump[1..].copy_from_slice(&exit.wrapping_sub(next).to_le_bytes());
        }
        slot
    }
}

/// What a case did. Fields that mean nothing for its kind of end are zero.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    pub general: [u32; 8],
    pub eflags: u32,
    pub eip: u32,
    /// The exception and its error code, if it ended by one.
    pub fault: Option<Fault>,
    /// DS, ES, FS, GS; of a case that did not fault.
    pub segments: [u16; 4],
    pub fpu: [u8; layout::FPU_BYTES],
    pub window: [u8; layout::WINDOW_BYTES],
}

/// An exception.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    pub vector: u32,
    pub error: u32,
    /// Of a page fault.
    pub cr2: u32,
}

impl Outcome {
    /// From an output record of the test program.
    pub fn of_record(record: &[u8], case: &Case) -> Outcome {
        let word = |place: i32| u32::from_le_bytes(array(record, place));
        let slot = layout::slot(case.number);
        let exit = word(output::EXIT);
        let vector = word(output::VECTOR);
        let page_fault = vector == PAGE_FAULT;
        let cr2 = if page_fault { word(output::CR2) } else { 0 };
        let fault = Fault { vector, error: word(output::ERROR), cr2 };
        Outcome {
            general: std::array::from_fn(|i| word(output::GENERAL + 4 * i as i32)),
            eflags: word(output::EFLAGS),
            eip: match exit {
                layout::EXIT_FELL_THROUGH => case.entry() + case.bytes.len() as u32,
                layout::EXIT_LANDING_A => slot + layout::LANDING_A,
                layout::EXIT_LANDING_B => slot + layout::LANDING_B,
                _ => word(output::EIP),
            },
            fault: (exit == layout::EXIT_FAULT).then_some(fault),
            segments: std::array::from_fn(|i| {
                u16::from_le_bytes(array(record, output::SEGMENTS + 2 * i as i32))
            }),
            fpu: array(record, output::FPU),
            window: array(record, output::WINDOW),
        }
    }
}

/// Vector of the exception that sets CR2.
pub const PAGE_FAULT: u32 = 14;
/// Vector of the invalid-opcode exception.
pub const INVALID_OPCODE: u32 = 6;

fn put(record: &mut [u8], place: i32, bytes: &[u8]) {
    record[place as usize..][..bytes.len()].copy_from_slice(bytes);
}

fn array<const N: usize>(record: &[u8], place: i32) -> [u8; N] {
    record[place as usize..][..N].try_into().expect("a record holds its fields")
}
