//! Whole chips on any code: random bytes as a kernel on both cores of a tile, and as an image at
//! the reset vector. The chip must come to the time limit, or to a rest, whatever they do to
//! resets, clocks, LUTs and devices.

use rockcreek_board::HostService;
use rockcreek_chip::Stopped;
use rockcreek_defs::{CoreAddr, CoreId, Ps};

use crate::small::{self, Machine};
use crate::texts::multiboot_kernel;

const UNTIL: Ps = Ps(20_000_000);
const EVENTS: u32 = 20_000;
const QUESTION_EVENTS: u32 = 64;
/// Where a core looks first, and the room behind it.
const RESET_VECTOR: u32 = 0xFFFF_FFF0;
const BOOT_CODE: u32 = 0xFFFF_F000;

/// Answers everything with what was asked.
struct Echo;

impl HostService for Echo {
    fn call(&mut self, _: CoreId, _: u32, request: &[u8]) -> Option<Vec<u8>> {
        Some(request.to_vec())
    }

    fn save(&self) -> Vec<u8> {
        Vec::new()
    }
}

/// Runs a chip whose programs may do anything, then looks at all of it.
fn exercise(mut chip: Machine) {
    chip.set_host_service(Box::new(Echo));
    let mut left = EVENTS / QUESTION_EVENTS;
    loop {
        let stopped = chip.run(Some(UNTIL), || {
            left = left.saturating_sub(1);
            left > 0
        });
        match stopped {
            Stopped::Input => {
                let core = chip.input_core().expect("somebody waits");
                chip.receive(core, b"input\n", true);
            }
            Stopped::Failed if left > 0 => {}
            _ => break,
        }
    }
    assert!(chip.now() <= UNTIL);
    chip.state_hash();
    let _ = chip.statistics().flatten();
}

pub fn kernel(data: &[u8]) {
    let mut chip = small::chip();
    for (core, code) in [(0, data), (1, &data[data.len() / 2..])] {
        if chip.load(CoreId(core), &multiboot_kernel(code), "", &[]).is_err() {
            return;
        }
        chip.release(CoreId(core));
    }
    exercise(chip);
}

pub fn image(data: &[u8]) {
    let mut chip = small::chip();
    let data = &data[..data.len().min((RESET_VECTOR - BOOT_CODE) as usize)];
    // jmp to the code
    let jump = [0xE9, 0x0D, 0xF0];
    for core in [0, 1] {
        for (at, bytes) in [(RESET_VECTOR, &jump[..]), (BOOT_CODE, data)] {
            chip.place(CoreId(core), CoreAddr(at), bytes).expect("the boot slot is memory");
        }
        chip.release(CoreId(core));
    }
    exercise(chip);
}

/// mov dword [address], value
fn store(address: u32, value: u32) -> Vec<u8> {
    let mut code = vec![0xC7, 0x05];
    code.extend(address.to_le_bytes());
    code.extend(value.to_le_bytes());
    code
}

pub fn kernel_examples() -> Vec<Vec<u8>> {
    let crb = 0xF800_0000;
    let plain: [&[(u32, u32)]; 9] = [
        // the other core's pins, resets, clock
        &[(crb + 0x18, 0xDFB), (crb + 0x18, 0xDF8), (crb + 0x18, 0xDBF)],
        &[(crb + 0x80, 0x00A8_E2F2), (crb + 0x80, 0x00A8_E7F0), (crb + 0x80, 0x00A8_E2F0)],
        // a LUT entry that leads nowhere, to another unit, back; L2 off
        &[(crb + 0x800, 0x1F_FFFF), (crb + 0x1400, 0x0000_1800), (crb + 0x28, 0x6DF)],
        // the interrupt controller, atomic counters, voltages
        &[(0xF900_D200, 0), (0xF900_D600, 3), (0xF900_D400, 0x40), (0xF900_E004, 9)],
        &[(0xFB00_0000, 0x1_04D0), (0xFB00_0000, 0x1_0480), (0xF900_D900, 3)],
        // the host channel: end, marks, a call
        &[(0xFA10_0040, 1), (0xFA10_0060, 7), (0xFA10_0054, 1)],
        &[(0xFA10_0000, 0x20_0000), (0xFA10_0004, 64), (0xFA10_0008, 1), (0xFA10_000C, 1)],
        &[(0xFEE0_00F0, 0x1FF), (0xFEE0_0320, 0x2_0031), (0xFEE0_0380, 100)],
        &[(0xD800_0000, 1), (0xC000_2000, 2), (0xE000_0200, 1), (0x8000_0000, 5)],
    ];
    let ports = [0xBA, 0xF9, 3, 0, 0, 0xB0, 3, 0xEE, 0xBA, 0xF8, 3, 0, 0, 0xEE, 0xEC, 0xFB, 0xF4];
    let mut examples: Vec<Vec<u8>> = plain
        .iter()
        .map(|stores| {
            let mut code = vec![0xBC, 0, 0, 0x30, 0];
            stores.iter().for_each(|(address, value)| code.extend(store(*address, *value)));
            code.extend([0xA1, 0x10, 0, 0, 0xF8, 0xFB, 0xF4, 0xEB, 0xFC]);
            code
        })
        .collect();
    examples.push(ports.to_vec());
    examples
}

pub fn image_examples() -> Vec<Vec<u8>> {
    vec![
        // mov ax, 1234h; mov ds, ax; mov [10h], ax; int 21h; hlt
        vec![0xB8, 0x34, 0x12, 0x8E, 0xD8, 0xA3, 0x10, 0, 0xCD, 0x21, 0xF4],
        // mov eax, cr0; or al, 1; mov cr0, eax; jmp 8:0
        vec![0x0F, 0x20, 0xC0, 0x0C, 1, 0x0F, 0x22, 0xC0, 0xEA, 0, 0, 8, 0],
        // lgdt [cs:..]; in, out, rep stosb over the low memory
        vec![0x2E, 0x0F, 0x01, 0x16, 0, 0xF0, 0xE4, 0x60, 0xE6, 0x80, 0xF3, 0xAA, 0xEB, 0xFC],
    ]
}
