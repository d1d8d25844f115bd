use super::*;
use crate::tests::sample::access;

const AT: u32 = 0x1000;
const CODE: u32 = 0x100;

fn program() -> Program {
    let memory = ProgramMemory {
        shared: vec![(0x1000, 0x9000)],
        code: (0x100, 0x200),
        helpers: vec![(0x300, 0x400)],
        text: (0x100, 0x800),
    };
    let mut program = Program::new(3, Arc::new(memory));
    for core in 0..3 {
        event(&mut program, core, 2, core as u32, 0);
    }
    program
}

fn note(kind: AccessKind, linear: u32, size: u8, value: u64) -> Access {
    Access { value, ..access(kind, CODE, linear, size) }
}

fn event(program: &mut Program, core: usize, first: u32, second: u32, third: u32) {
    let value = u64::from(first) | u64::from(second) << 32;
    program.access(core, 0, &note(AccessKind::Event, third, 8, value));
}

fn write(program: &mut Program, core: usize, at: u32, size: u8) {
    program.access(core, 1, &note(AccessKind::Store, at, size, 7));
}

fn read(program: &mut Program, core: usize, at: u32, size: u8) {
    program.access(core, 1, &note(AccessKind::Load, at, size, 0));
}

fn release(program: &mut Program, core: usize, object: u32) {
    event(program, core, 3, object, 0);
}

fn acquire(program: &mut Program, core: usize, object: u32) {
    event(program, core, 5, object, 0);
}

fn atomic(program: &mut Program, core: usize, write: bool) {
    let detail = 4 | if write { 1 << 16 } else { 0 };
    event(program, core, 6 | detail << 4, AT, CODE + 8);
}

#[test]
fn a_lock_orders_and_another_one_does_not() {
    for (lock, races) in [(20, 0), (24, 1)] {
        let mut program = program();
        write(&mut program, 0, AT, 4);
        release(&mut program, 0, 20);
        acquire(&mut program, 1, lock);
        write(&mut program, 1, AT, 4);
        assert_eq!(program.races().len(), races);
    }
}

#[test]
fn what_comes_after_the_release_is_not_ordered() {
    let mut program = program();
    release(&mut program, 0, 20);
    write(&mut program, 0, AT, 4);
    acquire(&mut program, 1, 20);
    read(&mut program, 1, AT, 4);
    let race = program.races()[0];
    assert!(race.first.write && !race.second.write);
    assert_eq!((race.address, race.first.core, race.second.core), (AT, 0, 1));
}

#[test]
fn neighbours_and_readers_do_not_race() {
    let mut program = program();
    write(&mut program, 0, AT + 1, 1);
    write(&mut program, 1, AT + 2, 1);
    read(&mut program, 0, AT + 8, 4);
    read(&mut program, 1, AT + 8, 4);
    assert!(program.races().is_empty());
    write(&mut program, 2, AT, 8);
    assert_eq!(program.races()[0].address, AT + 1);
}

#[test]
fn each_of_many_readers_races_with_a_writer() {
    let mut program = program();
    read(&mut program, 0, AT, 4);
    read(&mut program, 1, AT, 4);
    release(&mut program, 1, 20);
    acquire(&mut program, 2, 20);
    write(&mut program, 2, AT, 4);
    assert_eq!(program.races()[0].first.core, 0);
}

#[test]
fn atomic_operations_race_with_plain_ones_alone() {
    let mut program = program();
    atomic(&mut program, 0, true);
    atomic(&mut program, 1, true);
    assert!(program.races().is_empty());
    read(&mut program, 2, AT, 4);
    assert_eq!(program.races().len(), 1);
}

#[test]
fn a_plain_read_is_not_hidden_by_an_atomic_one() {
    let mut program = program();
    read(&mut program, 0, AT, 4);
    atomic(&mut program, 0, false);
    atomic(&mut program, 1, true);
    assert_eq!(program.races().len(), 1);
}

#[test]
fn memory_that_is_given_out_again_is_new() {
    let mut program = program();
    write(&mut program, 0, AT, 4);
    event(&mut program, 1, 7 | 64 << 4, AT, CODE + 4);
    write(&mut program, 1, AT, 4);
    assert!(program.races().is_empty());
    read(&mut program, 2, AT + 2, 1);
    let block = program.races()[0].block.expect("the block is known");
    assert_eq!((block.start, block.bytes, block.eip, block.core), (AT, 64, CODE + 3, 1));
}

#[test]
fn a_copy_belongs_to_who_called_it() {
    let mut program = program();
    let mut copied = note(AccessKind::Store, AT, 4, 0);
    (copied.eip, copied.stack[1]) = (0x310, CODE + 9);
    program.access(0, 1, &copied);
    copied.stack[1] = 0x500;
    program.access(2, 1, &copied);
    read(&mut program, 1, AT, 4);
    let races = program.races();
    assert_eq!((races.len(), races[0].first.eip), (1, CODE + 8));
}

#[test]
fn memory_stays_bounded_and_a_lost_object_makes_no_race() {
    let mut program = program();
    write(&mut program, 0, AT, 4);
    release(&mut program, 0, 20);
    for object in 0..10_000 {
        release(&mut program, 2, 0x10_0000 + object);
    }
    acquire(&mut program, 1, 20);
    write(&mut program, 1, AT, 4);
    assert!(program.races().is_empty());
    for page in 0..9_000 {
        write(&mut program, 0, page * 4096, 4);
    }
    assert!(program.cells.pages() <= 8192);
}
