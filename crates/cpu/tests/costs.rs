//! The clocks of instructions on a core with warm caches, compared with measurements on the SCC;
//! and CL1INVMB.

use crate::common;

use common::{Bench, CACHE_DISABLE, PMB, PRESENT, WRITABLE, WRITE_THROUGH};
use rockcreek_cpu::{cr4, gpr};
use rockcreek_defs::BusRequest;
use rockcreek_defs::bus::FillKind;

/// Clocks between two readings of the time stamp counter around `measured`, the second time the
/// code runs (warm caches): rdtsc; mov esi, eax; measured; rdtsc; sub eax, esi.
fn clocks(measured: &[u8], prepare: impl Fn(&mut Bench)) -> u32 {
    let mut program = vec![0xBF, 0x02, 0, 0, 0]; // mov edi, 2
    let start = program.len();
    program.extend([0x0F, 0x31, 0x89, 0xC6]);
    program.extend(measured);
    program.extend([0x0F, 0x31, 0x29, 0xF0, 0x4F]); // rdtsc; sub eax, esi; dec edi
    let back = (start as i32 - (program.len() as i32 + 2)) as u8;
    program.extend([0x75, back, 0xF4]); // jnz start; hlt
    let mut bench = Bench::with(&program);
    bench.set(|registers| registers.general[gpr::EBX] = 0x2_0000);
    prepare(&mut bench);
    bench.run_to_halt();
    bench.general(gpr::EAX)
}

/// The clocks of some code without those of the two counter readings, as they were measured on the
/// SCC.
fn bracketed(measured: &[u8]) -> u32 {
    clocks(measured, |_| {}) - clocks(&[], |_| {})
}

/// The clocks of instructions that pair with no neighbour: NEG EBP before them pairs with nothing.
fn net_clocks(measured: &[u8]) -> u32 {
    let alone = |code: &[u8]| clocks(&[&[0xF7, 0xDD], code].concat(), |_| {});
    alone(measured) - alone(&[])
}

#[test]
fn readings_of_the_time_stamp_are_14_apart() {
    // 13 for RDTSC and 1 for the move between (barrelfish-tn005: 14).
    assert_eq!(clocks(&[], |_| {}), 14);
}

#[test]
fn locked_instructions_cost_two_l2_accesses() {
    // 35, 36 and 39 measured (barrelfish-tn005).
    assert_eq!(bracketed(&[0x87, 0x13]), 36); // xchg [ebx], edx
    assert_eq!(bracketed(&[0xF0, 0xFF, 0x0B]), 36); // lock dec dword [ebx]
    assert_eq!(bracketed(&[0xF0, 0x0F, 0xB1, 0x13]), 39); // lock cmpxchg [ebx], edx
}

#[test]
fn common_instructions_cost_their_table_rows() {
    assert_eq!(bracketed(&[0x0F, 0x0A]), 1); // cl1invmb (barrelfish-tn005: 1)
    assert_eq!(net_clocks(&[0x8B, 0x13]), 1); // mov edx, [ebx]
    assert_eq!(net_clocks(&[0x03, 0x13]), 2); // add edx, [ebx]
    assert_eq!(net_clocks(&[0x8B, 0x13, 0x01, 0x13]), 4); // mov edx, [ebx]; add [ebx], edx
    assert_eq!(net_clocks(&[0x0F, 0xAF, 0xD2]), 11); // imul edx, edx: 10, and 0F
    assert_eq!(net_clocks(&[0x66, 0x89, 0xD1]), 2); // mov cx, dx: one clock for the prefix
}

#[test]
fn crossing_a_natural_boundary_costs_three_more() {
    let inside = net_clocks(&[0x8B, 0x13]);
    assert_eq!(net_clocks(&[0x8B, 0x53, 0x02]), inside + 3); // mov edx, [ebx+2]
    assert_eq!(net_clocks(&[0x66, 0x8B, 0x53, 0x01]), inside + 1); // mov dx, [ebx+1]: inside
}

#[test]
fn repeated_loads_cost_three_clocks_an_element() {
    // mov ebp, esi; mov ecx, n; mov esi, ebx; rep lodsd; mov esi, ebp
    let program = |n: u8| vec![0x89, 0xF5, 0xB9, n, 0, 0, 0, 0x89, 0xDE, 0xF3, 0xAD, 0x89, 0xEE];
    let short = clocks(&program(4), |_| {});
    let long = clocks(&program(12), |_| {});
    assert_eq!(long - short, 8 * 3);
}

fn message_lines_read(program: &[u8], bits: u32) -> usize {
    let mut bench = Bench::paged(program);
    bench.map(0x2_0000, PRESENT | WRITABLE | bits);
    bench.set(|registers| registers.cr4 = cr4::MPE);
    bench.run_to_halt();
    let reads = |request: &&BusRequest| match request {
        BusRequest::ReadLine { addr, kind } => {
            addr.0 == 0x2_0000 && matches!(kind, FillKind::Mpbt | FillKind::Data)
        }
        BusRequest::Read { addr, .. } => addr.0 == 0x2_0000,
        _ => false,
    };
    bench.requests.iter().filter(reads).count()
}

#[test]
fn cl1invmb_drops_message_lines_only() {
    // mov eax, [20000h]; cl1invmb; mov eax, [20000h]; hlt
    let program = [0xA1, 0, 0, 2, 0, 0x0F, 0x0A, 0xA1, 0, 0, 2, 0, 0xF4];
    assert_eq!(message_lines_read(&program, PMB | WRITE_THROUGH), 2);
    assert_eq!(message_lines_read(&program, 0), 1);
    assert_eq!(message_lines_read(&program, CACHE_DISABLE), 2);
    let without = [0xA1, 0, 0, 2, 0, 0xA1, 0, 0, 2, 0, 0xF4];
    assert_eq!(message_lines_read(&without, PMB | WRITE_THROUGH), 1);
}
