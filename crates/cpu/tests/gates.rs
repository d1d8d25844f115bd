//! The clocks of transfers through gates: software interrupts, page faults, pins, returns, tasks;
//! and of the local APIC's registers. The numbers are those of `intel-pentium-manual`, with all
//! accesses in L1.

use crate::common;

use common::{Bench, CODE0, CODE3, HANDLERS, SYSTEM_CALL, TABLE, config};
use rockcreek_cpu::{cr0, gpr};

const IRET: u8 = 0xCF;
const HLT: u8 = 0xF4;

/// The clocks of `measured` between two readings of the time stamp counter, without those of the
/// readings, in its third turn; each handler is a single IRET.
fn clocks(measured: &[u8], prepare: impl Fn(&mut Bench)) -> u32 {
    let timed = |code: &[u8]| {
        let mut program = vec![0xBF, 3, 0, 0, 0]; // mov edi, 3
        let start = program.len();
        program.extend([0x0F, 0x31, 0x89, 0xC6]); // rdtsc; mov esi, eax
        program.extend(code);
        program.extend([0x0F, 0x31, 0x29, 0xF0, 0x4F]); // rdtsc; sub eax, esi; dec edi
        let back = (start as i32 - (program.len() as i32 + 2)) as u8;
        program.extend([0x75, back, 0xCD, 0x41]); // jnz start; int 41h, which halts
        let mut bench = Bench::protected(&program);
        for vector in 0..=255 {
            bench.put(HANDLERS + 16 * vector, &[IRET]);
        }
        bench.put(HANDLERS + 16 * 0x41, &[HLT]);
        prepare(&mut bench);
        bench.run_to_halt();
        bench.general(gpr::EAX)
    };
    timed(measured) - timed(&[])
}

/// Makes a gate usable in ring 3.
fn open(bench: &mut Bench, vector: u32) {
    let rights = common::IDT + 8 * vector + 4;
    bench.put(rights + 1, &[0xEE]);
}

#[test]
fn software_interrupts_cost_by_their_way() {
    assert_eq!(clocks(&[0xCD, 0x40], |_| {}), 31 + 10, "INT n and IRET, one level");
    assert_eq!(clocks(&[0xCC], |_| {}), 27 + 10, "INT3 and IRET");
    let user = |bench: &mut Bench| {
        open(bench, 0x41);
        bench.enter_user();
    };
    assert_eq!(clocks(&[0xCD, SYSTEM_CALL], user), 48 + 27, "to ring 0 and back");
}

#[test]
fn far_calls_cost_by_their_gate() {
    // A call gate at GDT + 18h, in place of ring 3's code segment: it leads to a far return.
    let gate = |bench: &mut Bench| {
        bench.put_word(common::GDT + 0x18, u32::from(CODE0) << 16 | 0x2000);
        bench.put_word(common::GDT + 0x1C, 0xEC00);
        bench.put(0x2000, &[0xCB]);
    };
    // call 18h:0
    assert_eq!(clocks(&[0x9A, 0, 0, 0, 0, 0x18, 0], gate), 22 + 4);
    // call 8:2000h, a far call without a gate
    assert_eq!(clocks(&[0x9A, 0, 0x20, 0, 0, 0x08, 0], gate), 3 + 4);
    assert_ne!(CODE3, 0x18, "ring 3's selector has its level");
}

#[test]
fn a_page_fault_costs_forty_more() {
    // The handler of #PF makes the page present, drops the error code and returns; then MOV reads
    // again. The clocks of the handler's own instructions are measured in the other program.
    let repair = [
        &[0x36, 0xC7, 0x05][..], // mov dword [ss:entry], page | 3
        &(TABLE + 0x20 * 4).to_le_bytes(),
        &0x2_0003_u32.to_le_bytes(),
        &[0x83, 0xC4, 0x04], // add esp, 4
    ]
    .concat();
    let paged = |bench: &mut Bench| {
        for page in 0..1024 {
            bench.put_word(TABLE + 4 * page, page << 12 | 3);
        }
        bench.put_word(common::DIRECTORY, TABLE | 3);
        bench.put(0x1F00, &[&repair[..], &[IRET]].concat());
        bench.put_word(common::IDT + 14 * 8, u32::from(CODE0) << 16 | 0x1F00);
        bench.set(|registers| {
            registers.cr3 = common::DIRECTORY;
            registers.cr0 |= cr0::PG;
        });
    };
    let spoil = [
        // From here on L1D has the entry, so that neither run alone pays for fetching it.
        &[0x36, 0x8B, 0x0D][..], // mov ecx, [ss:entry]
        &(TABLE + 0x20 * 4).to_le_bytes(),
        &[0x36, 0xC7, 0x05], // mov dword [ss:entry], 0
        &(TABLE + 0x20 * 4).to_le_bytes(),
        &0_u32.to_le_bytes(),
        &[0x0F, 0x01, 0x3D], // invlpg [20000h]
        &0x2_0000_u32.to_le_bytes(),
    ]
    .concat();
    let load = [0x8B, 0x1D, 0, 0, 2, 0]; // mov ebx, [20000h]
    let faulting = clocks(&[&spoil[..], &load].concat(), paged);
    // The other program, without the fault: push, the repair, and INT in place of the exception.
    let software = [&spoil[..], &[0x50], &[0xCD, 0x42], &load].concat();
    let plain = clocks(&software, |bench| {
        paged(bench);
        // The handler returns above the word that stands for the error code.
        bench.put(HANDLERS + 16 * 0x42, &repair[..11]);
        bench.put(HANDLERS + 16 * 0x42 + 11, &[IRET]);
    });
    // INT takes 6 clocks, PUSH 1, and ADD ESP pairs with no instruction before IRET.
    let difference = faulting as i32 - plain as i32;
    assert!((30..=50).contains(&difference), "{difference}");
}

#[test]
fn a_pin_costs_fourteen_more_than_its_gate() {
    // The core's own timer, which fires one clock after its count is written.
    let apic = |register: u32, value: u32| {
        let at = 0xFEE0_0000 + register;
        [&[0xC7, 0x05][..], &at.to_le_bytes(), &value.to_le_bytes()].concat()
    };
    let access = config().apic_access_cycles;
    let end = clocks(&apic(0xB0, 0), |_| {});
    assert_eq!(end, 1 + access, "one write to the APIC");
    let armed = [apic(0xF0, 0x1FF), apic(0x3E0, 0xB), apic(0x320, 0x40)].concat();
    let quiet = clocks(&[&armed[..], &apic(0x380, 0), &[0xFB, 0x90, 0x90, 0xFA]].concat(), |_| {});
    let due = clocks(&[&armed[..], &apic(0x380, 2), &[0xFB, 0x90, 0x90, 0xFA]].concat(), |bench| {
        // The handler ends the interrupt.
        bench.put(HANDLERS + 16 * 0x40, &[&apic(0xB0, 0)[..], &[IRET]].concat());
    });
    let handler = 25 + 14 + 1 + access + 10;
    assert!((handler..=handler + 1).contains(&(due - quiet)), "{} {handler}", due - quiet);
}
