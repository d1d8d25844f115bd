//! The parts behind the system interface (SIF): the FPGA's register file and, over PCIe, the
//! management PC with serial ports and host channels.
//!
//! The FPGA looks at address bits 33:31: 2 is its register file, 4 the management PC; 3 (SATA)
//! and 1 (debug) are absent here, read 0 and ignore writes.

use rockcreek_defs::registers::fpga::vcc;
use rockcreek_defs::{CoreId, Ps};
use serde::{Deserialize, Serialize};

use crate::Action;
use crate::fpga_registers::{FpgaConfig, FpgaRegisters};
use crate::host_link::HostLink;
use crate::other_ports::OtherPorts;
use crate::power_meter::PowerMeter;
use crate::serial::{Output, SerialPorts};
use crate::voltage_regulator::{VoltageConfig, VoltageRegulator};

/// The FPGA decodes this field of an address.
const TARGET_SHIFT: u32 = 31;
const REGISTER_FILE: u64 = 2;
const MANAGEMENT_PC: u64 = 4;
/// Registers are 32 bits wide.
const WORD: u64 = 4;

/// What a chip description says about the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BoardConfig {
    pub cores: usize,
    pub fpga: FpgaConfig,
    pub voltage: VoltageConfig,
    /// The shortest time between two conversions of the power meter.
    pub power_conversion_ps: u64,
}

/// The answer to an IN.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reply {
    Value(u32),
    /// The host must first say what input there is.
    NeedsInput,
}

/// The board behind the SIF.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SystemInterface {
    pub registers: FpgaRegisters,
    pub host: HostLink,
    pub voltage: VoltageRegulator,
    pub power: PowerMeter,
    serial: Vec<SerialPorts>,
    /// Sent characters that the front end has not fetched; no part of the chip's state.
    #[serde(skip)]
    output: Vec<Output>,
    /// Who answers other ports. The chip's hash and snapshots have them if they are there.
    #[serde(skip)]
    pub other_ports: OtherPorts,
}

impl SystemInterface {
    pub fn new(config: &BoardConfig) -> SystemInterface {
        SystemInterface {
            registers: FpgaRegisters::new(&config.fpga),
            host: HostLink::new(config.cores),
            voltage: VoltageRegulator::new(config.voltage),
            power: PowerMeter::new(config.power_conversion_ps),
            serial: vec![SerialPorts::new(); config.cores],
            output: Vec::new(),
            other_ports: OtherPorts::default(),
        }
    }

    /// True if an address behind the SIF is answered by the management PC, not by the FPGA.
    pub fn is_host(offset: u64) -> bool {
        offset >> TARGET_SHIFT == MANAGEMENT_PC
    }

    /// True if a read of `bytes` bytes makes the power meter convert before the answer.
    pub fn converts_power(&self, now: Ps, offset: u64, bytes: u32) -> bool {
        offset >> TARGET_SHIFT == REGISTER_FILE
            && self.power.converts(now, offset as u32 & 0x00FF_FFFF, bytes)
    }

    fn read_word(&mut self, time: Ps, offset: u64) -> u32 {
        match offset >> TARGET_SHIFT {
            REGISTER_FILE => {
                let register = offset as u32 & 0x00FF_FFFF;
                match register.wrapping_sub(vcc::OFFSET) / vcc::STRIDE {
                    n if n < vcc::COUNT => self.voltage.vcc(n as usize),
                    _ => match self.power.read(register) {
                        Some(value) => value,
                        None => self.registers.read(time, register),
                    },
                }
            }
            MANAGEMENT_PC => self.host.read(offset as u32 & 0x00FF_FFFF),
            _ => 0,
        }
    }

    /// A bus read at `time`: fills `out` from the registers that it overlaps.
    pub fn read(&mut self, time: Ps, offset: u64, out: &mut [u8]) {
        let end = offset + out.len() as u64;
        let mut word = offset & !(WORD - 1);
        while word < end {
            for (at, byte) in (word..).zip(self.read_word(time, word).to_le_bytes()) {
                if (offset..end).contains(&at) {
                    out[(at - offset) as usize] = byte;
                }
            }
            word += WORD;
        }
    }

    /// A bus write at `time` of those bytes of `data` whose bit in `enable` is set. Bytes of a
    /// register that are not written count as 0: the FPGA sees whole words.
    pub fn write(
        &mut self,
        time: Ps,
        offset: u64,
        data: &[u8],
        enable: u32,
        actions: &mut Vec<Action>,
    ) {
        let end = offset + data.len() as u64;
        let mut word = offset & !(WORD - 1);
        while word < end {
            let (mut value, mut any) = ([0; 4], false);
            for (at, byte) in (word..).zip(&mut value) {
                if (offset..end).contains(&at) && enable >> (at - offset) & 1 != 0 {
                    *byte = data[(at - offset) as usize];
                    any = true;
                }
            }
            if any {
                let (value, register) = (u32::from_le_bytes(value), word as u32 & 0x00FF_FFFF);
                match word >> TARGET_SHIFT {
                    REGISTER_FILE => self.registers.write(register, value, actions),
                    MANAGEMENT_PC => self.host.write(time, register, value, actions),
                    _ => {}
                }
            }
            word += WORD;
        }
    }

    /// IN from a core at `time`. Ports that nobody answers read as ones.
    pub fn io_read(
        &mut self,
        time: Ps,
        core: CoreId,
        port: u16,
        size: u8,
        actions: &mut Vec<Action>,
    ) -> Reply {
        let ports = &mut self.serial[core.index()];
        if ports.must_wait(port) {
            return Reply::NeedsInput;
        }
        if let Some(value) = self.other_ports.ask(time, core, port, size) {
            return Reply::Value(value);
        }
        let mut value = [0; 4];
        for (n, byte) in value.iter_mut().enumerate().take(size.into()) {
            let port = port.wrapping_add(n as u16);
            let answer = ports.read(core, port, actions);
            let answer = answer.or_else(|| self.other_ports.read(time, core, port));
            *byte = answer.unwrap_or(0xFF);
        }
        Reply::Value(u32::from_le_bytes(value))
    }

    /// OUT from a core.
    pub fn io_write(
        &mut self,
        time: Ps,
        core: CoreId,
        port: u16,
        bytes: &[u8],
        actions: &mut Vec<Action>,
    ) {
        if self.other_ports.tell(time, core, port, bytes) {
            return;
        }
        for (n, byte) in bytes.iter().enumerate() {
            let port = port.wrapping_add(n as u16);
            self.other_ports.write(time, core, port, *byte);
            let sent = self.serial[core.index()].write(core, port, *byte, actions);
            if let Some((base, byte)) = sent {
                self.send(time, core, base, byte);
            }
        }
    }

    /// Appends to the last run of the same port, up to the end of a line.
    fn send(&mut self, time: Ps, core: CoreId, port: u16, byte: u8) {
        match self.output.last_mut() {
            Some(last)
                if (last.core, last.port) == (core, port) && !last.bytes.ends_with(b"\n") =>
            {
                last.bytes.push(byte);
                last.time = time;
            }
            _ => self.output.push(Output { time, core, port, bytes: vec![byte] }),
        }
    }

    /// Takes what the cores have sent since the last call.
    pub fn take_output(&mut self) -> Vec<Output> {
        std::mem::take(&mut self.output)
    }

    /// The output that [`SystemInterface::take_output`] would return.
    pub fn output(&self) -> &[Output] {
        &self.output
    }

    /// A restored board has this output to hand out.
    pub fn set_output(&mut self, output: Vec<Output>) {
        self.output = output;
    }

    /// Receives input bytes from the host for a core; `end` means that no more input follows.
    pub fn receive(&mut self, core: CoreId, bytes: &[u8], end: bool, actions: &mut Vec<Action>) {
        self.serial[core.index()].receive(core, bytes, end, actions);
    }

    /// The management PC asks for an interrupt of a core.
    pub fn interrupt(&mut self, core: CoreId, actions: &mut Vec<Action>) {
        self.registers.request_of_host(core, actions);
    }

    /// The core's input comes when the host has it; nobody waits for it.
    pub fn set_live(&mut self, core: CoreId) {
        self.serial[core.index()].set_live();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::other_ports::PortService;

    fn board() -> SystemInterface {
        let fpga = FpgaConfig {
            timestamp_period_ps: 8000,
            fast_clock_mhz: 1600,
            private_slots: 41,
            dimm_sizes: 0,
            request_index: Default::default(),
            cores: 2,
        };
        let voltage = VoltageConfig {
            start_level: 0xB0,
            least_level: 0x60,
            most_level: 0xD0,
            transition_ps: 0,
            step_levels: 4,
            adc_step_nanovolts: 25_177,
        };
        SystemInterface::new(&BoardConfig {
            cores: 2,
            fpga,
            voltage,
            power_conversion_ps: 100_000_000,
        })
    }

    #[test]
    fn the_address_chooses_between_fpga_and_host() {
        let (mut board, mut actions) = (board(), Vec::new());
        let mut out = [0; 4];
        board.read(Ps(0), 0x1_0000_8230, &mut out);
        assert_eq!(u32::from_le_bytes(out), 1600);
        board.write(Ps(3), 0x2_0010_0060, &9u32.to_le_bytes(), 0xF, &mut actions);
        assert_eq!(board.host.marks()[0].id, 9);
        board.read(Ps(0), 0x1_8000_0000, &mut out);
        assert_eq!(out, [0; 4]);
        board.read(Ps(0), 0x1_0000_8418, &mut out);
        assert_eq!(u32::from_le_bytes(out), 1_100_000_000 / 25_177);
    }

    #[test]
    fn output_comes_in_lines() {
        let (mut board, mut actions) = (board(), Vec::new());
        for (time, byte) in (10..).zip(b"ab\nc") {
            board.io_write(Ps(time), CoreId(1), 0x3F8, &[*byte], &mut actions);
        }
        let output = board.take_output();
        let lines: Vec<_> = output.iter().map(|o| (o.time, o.bytes.as_slice())).collect();
        assert_eq!(lines, [(Ps(12), &b"ab\n"[..]), (Ps(13), b"c")]);
        assert!(board.take_output().is_empty());
    }

    #[test]
    fn nobody_answers_other_ports() {
        let (mut board, mut actions) = (board(), Vec::new());
        assert_eq!(board.io_read(Ps(0), CoreId(0), 0x70, 2, &mut actions), Reply::Value(0xFFFF));
        assert_eq!(board.io_read(Ps(0), CoreId(0), 0x3FD, 1, &mut actions), Reply::NeedsInput);
    }

    #[test]
    fn other_ports_are_answered_if_somebody_does() {
        struct Counts(u32);
        impl PortService for Counts {
            fn read(&mut self, _: Ps, core: CoreId, port: u16, _: u8) -> Option<u32> {
                (port == 0x300).then_some(self.0 + u32::from(core.0))
            }
            fn write(&mut self, _: Ps, _: CoreId, port: u16, _: u8, value: u32) -> bool {
                self.0 += value;
                port == 0x300
            }
        }
        let (mut board, mut actions) = (board(), Vec::new());
        board.other_ports = OtherPorts::of_a_pc(2);
        board.io_write(Ps(0), CoreId(1), 0x21, &[0xFB], &mut actions);
        let masks = [0, 1].map(|n| board.io_read(Ps(0), CoreId(n), 0x21, 1, &mut actions));
        assert_eq!(masks, [Reply::Value(0), Reply::Value(0xFB)]);
        board.other_ports.serve(Counts(5));
        board.io_write(Ps(0), CoreId(0), 0x300, &[2, 0], &mut actions);
        assert_eq!(board.io_read(Ps(0), CoreId(1), 0x300, 4, &mut actions), Reply::Value(8));
        assert_eq!(board.io_read(Ps(0), CoreId(1), 0x21, 1, &mut actions), Reply::Value(0xFB));
    }
}
