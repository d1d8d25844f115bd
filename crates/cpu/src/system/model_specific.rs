//! Model-specific registers and CPUID.
//!
//! Manual: Pentium Processor Family Developer's Manual vol. 3, chapter 16 and appendix A (CPUID),
//! MSR numbers as in the Intel SDM. The events of the two performance counters are in
//! `performance_counters.rs`; the machine check registers read zero. TSC counts core cycles since
//! reset plus an offset. The test registers TR1 to TR7 and TR9 to TR12 only store what is written:
//! the functions that they control (tests of cache and TLB arrays, parity, branch prediction,
//! tracing) are not modelled. All other numbers raise #GP.

use crate::core::parts::Core;
use crate::state::exception::Stop;
use crate::state::model_specific::{TEST_FIRST, TEST_LAST};

mod number {
    pub const MACHINE_CHECK_ADDRESS: u32 = 0x00;
    pub const MACHINE_CHECK_TYPE: u32 = 0x01;
    /// MSR numbers in the range of the test registers to which no register belongs: between TR1 and
    /// TR2, and between TR7 and TR9. An access to them raises #GP.
    pub const NO_TEST: [u32; 2] = [0x03, 0x0A];
    pub const TIME_STAMP: u32 = 0x10;
    pub const EVENT_SELECT: u32 = 0x11;
    pub const COUNTER_0: u32 = 0x12;
    pub const COUNTER_1: u32 = 0x13;
}

/// The index of a test register in `ModelSpecific::test`; `None` if the number has no register.
fn test_index(register: u32) -> Option<usize> {
    let exists = (TEST_FIRST..=TEST_LAST).contains(&register);
    let exists = exists && !number::NO_TEST.contains(&register);
    exists.then(|| (register - TEST_FIRST) as usize)
}

impl Core {
    /// The time stamp counter.
    pub(crate) fn tsc(&self) -> u64 {
        self.state.cycles.wrapping_add(self.state.msr.tsc_offset)
    }

    pub(crate) fn read_msr(&mut self, register: u32) -> Result<u64, Stop> {
        self.state.counters.clock_reads += 1;
        let msr = &self.state.msr;
        Ok(match register {
            number::MACHINE_CHECK_ADDRESS | number::MACHINE_CHECK_TYPE => 0,
            number::TIME_STAMP => self.tsc(),
            number::EVENT_SELECT => u64::from(msr.performance.select),
            number::COUNTER_0 => self.performance_counter(0),
            number::COUNTER_1 => self.performance_counter(1),
            _ => match test_index(register) {
                Some(index) => u64::from(msr.test[index]),
                None => return Err(self.protection()),
            },
        })
    }

    pub(crate) fn write_msr(&mut self, register: u32, value: u64) -> Result<(), Stop> {
        let cycles = self.state.cycles;
        let msr = &mut self.state.msr;
        match register {
            number::MACHINE_CHECK_ADDRESS | number::MACHINE_CHECK_TYPE => {}
            number::TIME_STAMP => msr.tsc_offset = value.wrapping_sub(cycles),
            number::EVENT_SELECT => self.select_events(value as u32),
            number::COUNTER_0 => self.set_performance_counter(0, value),
            number::COUNTER_1 => self.set_performance_counter(1, value),
            _ => match test_index(register) {
                Some(index) => msr.test[index] = value as u32,
                None => return Err(self.protection()),
            },
        }
        Ok(())
    }

    /// EAX, EBX, ECX, EDX of CPUID for a leaf; leaves beyond 1 return zeros.
    pub(crate) fn cpuid(&self, leaf: u32) -> [u32; 4] {
        match leaf {
            0 => {
                let part = |text: &[u8; 4]| u32::from_le_bytes(*text);
                [1, part(b"Genu"), part(b"ntel"), part(b"ineI")]
            }
            1 => [self.signature(), 0, 0, self.config.cpuid_features],
            _ => [0; 4],
        }
    }

    /// Family, model and stepping in one word, as CPUID returns them and as EDX holds them at
    /// reset.
    pub(crate) fn signature(&self) -> u32 {
        let config = &self.config;
        config.cpuid_family << 8 | config.cpuid_model << 4 | config.cpuid_stepping
    }
}
