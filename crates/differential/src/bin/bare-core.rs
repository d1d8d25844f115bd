//! A bare core for tests in other languages: standard input says what is in memory and how many
//! instructions to execute, standard output what came of it. Numbers are 32 bits, little-endian.
//!
//! First the memory that each case begins with: its length and its bytes. Then, for each case,
//! until the input ends: the number of patches, each an address, a length and bytes; the first
//! instruction's address (real mode, all segments zero, caches off); the number of instructions;
//! the number of areas to show, each an address and a length. The answer: EAX to EDI, EIP, EFLAGS,
//! the selectors and the bases of ES to GS, CR0, CR2, CR3, CR4, 1 if the core has shut down, then
//! the areas. A fault and the entry of its handler are one instruction. Ports read as zero.

use std::io::{self, Read, Write};

use rockcreek_cpu::{CodeCache, Core, CpuConfig, Exit, Segment};
use rockcreek_defs::{BusRequest, BusResponse, CoreId};
use rockcreek_differential::core_config;

struct Bench {
    core: Core,
    code: CodeCache,
    memory: Vec<u8>,
}

impl Bench {
    fn new(config: &CpuConfig, memory: Vec<u8>, start: u32) -> Bench {
        let mut core = Core::new(CoreId(0), config);
        let mut registers = core.registers();
        registers.segments = [Segment::real(0); 6];
        registers.eip = start;
        core.set_registers(&registers);
        Bench { core, code: CodeCache::default(), memory }
    }

    /// Executes one instruction; false if the core will never execute another.
    fn step(&mut self) -> bool {
        self.core.pass_break();
        self.core.set_step(true);
        loop {
            match self.core.run(&mut self.code, u64::MAX) {
                Exit::Bus(request) => {
                    let response = self.perform(&request);
                    self.core.complete(self.core.cycles() + 1, &response);
                }
                Exit::Limit | Exit::Break => return true,
                Exit::Halted | Exit::Shutdown(_) => return false,
            }
        }
    }

    /// Memory repeats, so that every address has some.
    fn perform(&mut self, request: &BusRequest) -> BusResponse {
        let size = self.memory.len();
        let at = |addr: u32, n: usize| (addr as usize).wrapping_add(n) % size;
        match *request {
            BusRequest::ReadLine { addr, .. } => {
                BusResponse::Line(std::array::from_fn(|n| self.memory[at(addr.0, n)]))
            }
            BusRequest::Read { addr, size } => {
                let bytes = (0..usize::from(size)).rev();
                let value =
                    bytes.fold(0, |value, n| value << 8 | u64::from(self.memory[at(addr.0, n)]));
                BusResponse::Value(value)
            }
            BusRequest::Write { addr, size, data, .. } => {
                for (n, byte) in data.to_le_bytes().into_iter().enumerate().take(size.into()) {
                    self.memory[at(addr.0, n)] = byte;
                }
                BusResponse::Acknowledge
            }
            BusRequest::WriteLine { addr, data, enable, .. } => {
                for (n, byte) in data.into_iter().enumerate().filter(|(n, _)| enable >> n & 1 != 0)
                {
                    self.memory[at(addr.0, n)] = byte;
                }
                BusResponse::Acknowledge
            }
            BusRequest::IoRead { .. } => BusResponse::Value(0),
            BusRequest::IoWrite { .. } => BusResponse::Acknowledge,
        }
    }

    fn answer(&self, down: bool, areas: &[(u32, u32)]) -> Vec<u8> {
        let now = self.core.registers();
        let mut words = now.general.to_vec();
        words.extend([now.eip, now.eflags]);
        words.extend(now.segments.iter().map(|segment| u32::from(segment.selector)));
        words.extend(now.segments.iter().map(|segment| segment.base));
        words.extend([now.cr0, now.cr2, now.cr3, now.cr4, down.into()]);
        let mut bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        for (address, length) in areas {
            let start = *address as usize;
            bytes.extend(&self.memory[start..start + *length as usize]);
        }
        bytes
    }
}

fn word(input: &mut impl Read) -> io::Result<u32> {
    let mut bytes = [0; 4];
    input.read_exact(&mut bytes)?;
    Ok(u32::from_le_bytes(bytes))
}

fn main() -> io::Result<()> {
    let (mut input, mut output) = (io::stdin().lock(), io::stdout().lock());
    let config = core_config();
    let mut pristine = vec![0; word(&mut input)? as usize];
    input.read_exact(&mut pristine)?;
    loop {
        let patches = match word(&mut input) {
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(()),
            count => count?,
        };
        let mut memory = pristine.clone();
        for _ in 0..patches {
            let (address, length) = (word(&mut input)? as usize, word(&mut input)? as usize);
            input.read_exact(&mut memory[address..address + length])?;
        }
        let mut bench = Bench::new(&config, memory, word(&mut input)?);
        let steps = word(&mut input)?;
        let count = word(&mut input)?;
        let areas: io::Result<Vec<(u32, u32)>> =
            (0..count).map(|_| Ok((word(&mut input)?, word(&mut input)?))).collect();
        let alive = (0..steps).all(|_| bench.step());
        let down = !alive && bench.core.output_pins().shutdown;
        output.write_all(&bench.answer(down, &areas?))?;
        output.flush()?;
    }
}
