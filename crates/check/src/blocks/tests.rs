use super::*;
use crate::tests::sample::access;

const MALLOC: u32 = 0x100;
const FREE: u32 = 0x200;
const REALLOC: u32 = 0x300;
const CALLOC: u32 = 0x400;
const STACK: u32 = 0xF000;
const CALL: u32 = 0x50;
const ALIGNED: u32 = 0x500;
const HEAP: u32 = 0x10008;

fn allocators() -> Vec<Allocator> {
    let any = Allocator {
        granules: [0x10000, 0x1000],
        large: 0x8000,
        returns_large: true,
        ..Allocator::default()
    };
    let gives = Allocator { gives: true, bytes: [Some(1), None], ..any };
    vec![
        Allocator { entry: MALLOC, ..gives },
        Allocator { entry: FREE, takes: Some(1), ..any },
        Allocator { entry: REALLOC, takes: Some(1), bytes: [Some(2), None], ..gives },
        Allocator { entry: CALLOC, bytes: [Some(1), Some(2)], ..gives },
        Allocator { entry: ALIGNED, leaves: Some(1), bytes: [Some(2), None], ..gives },
    ]
}

fn books(one: bool) -> Blocks {
    let memory = ProgramMemory {
        code: (0x60, 0x80),
        helpers: vec![(0x80, 0x90)],
        text: (0x50, 0x1000),
        ..ProgramMemory::default()
    };
    Blocks::new(2, Arc::new(memory), allocators(), one)
}

fn blocks() -> Blocks {
    books(false)
}

fn enter(books: &mut Blocks, function: u32, stack: u32, arguments: [u32; 2]) {
    let mut access = access(AccessKind::Entered, function, stack, 4);
    access.stack[..3].copy_from_slice(&[CALL, arguments[0], arguments[1]]);
    books.access(0, 1, &access);
}

fn leave(books: &mut Blocks, stack: u32, arguments: [u32; 2], result: u32) {
    let mut access = access(AccessKind::Left, 0, stack, 4);
    access.stack[..3].copy_from_slice(&[CALL, arguments[0], arguments[1]]);
    access.value = result.into();
    books.access(0, 2, &access);
}

fn call(books: &mut Blocks, function: u32, arguments: [u32; 2], result: u32) {
    enter(books, function, STACK, arguments);
    leave(books, STACK, arguments, result);
}

fn write(books: &mut Blocks, at: u32, size: u8) {
    books.access(0, 3, &access(AccessKind::Store, 0x60, at, size));
}

fn kinds(books: &mut Blocks) -> Vec<BlockKind> {
    books.findings().iter().map(|finding| finding.kind).collect()
}

#[test]
fn bytes_of_a_block_are_free_to_use() {
    let mut books = blocks();
    call(&mut books, MALLOC, [10, 0], HEAP);
    write(&mut books, HEAP, 8);
    write(&mut books, HEAP + 9, 1);
    assert_eq!(kinds(&mut books), []);
}

#[test]
fn an_access_beyond_a_block_names_the_nearest_block() {
    let mut books = blocks();
    call(&mut books, MALLOC, [10, 0], HEAP);
    call(&mut books, MALLOC, [10, 0], HEAP + 0x20);
    write(&mut books, HEAP + 10, 1);
    write(&mut books, HEAP + 0x20 - 4, 4);
    assert_eq!(kinds(&mut books), [BlockKind::Beyond], "one instruction, one call: one finding");
    assert_eq!(books.findings()[0].count, 2);
    assert_eq!(books.findings()[0].block.map(|block| block.start), Some(HEAP));
    write(&mut books, HEAP + 0x4000, 4);
    assert_eq!(books.findings()[0].count, 3, "in the granule");
    write(&mut books, HEAP + 0x10000, 4);
    assert_eq!(books.findings()[0].count, 3, "memory of which nothing is known");
}

#[test]
fn an_access_that_begins_in_a_block_and_ends_behind_it() {
    let mut books = blocks();
    call(&mut books, MALLOC, [10, 0], HEAP);
    write(&mut books, HEAP + 8, 4);
    assert_eq!(kinds(&mut books), [BlockKind::Beyond]);
}

#[test]
fn a_large_block_shares_only_its_pages() {
    let mut books = blocks();
    call(&mut books, MALLOC, [0x8010, 0], 0x20008);
    write(&mut books, 0x20008 + 0x8010, 1);
    assert_eq!(kinds(&mut books), [BlockKind::Beyond]);
    write(&mut books, 0x29000, 1);
    assert_eq!(books.findings()[0].count, 1, "the next page is something else");
    call(&mut books, FREE, [0x20008, 0], 0);
    write(&mut books, 0x20008, 1);
    assert_eq!(books.findings().len(), 1, "the kernel has the pages now");
    call(&mut books, FREE, [0x20008, 0], 0);
    assert_eq!(kinds(&mut books), [BlockKind::Beyond, BlockKind::DoubleFree]);
}

#[test]
fn a_freed_block_is_found_until_its_bytes_are_allocated_again() {
    let mut books = blocks();
    call(&mut books, MALLOC, [16, 0], HEAP);
    call(&mut books, FREE, [HEAP, 0], 0);
    write(&mut books, HEAP + 4, 4);
    assert_eq!(kinds(&mut books), [BlockKind::UseAfterFree]);
    let block = books.findings()[0].block.unwrap();
    assert_eq!((block.allocated.time_ps, block.freed.unwrap().time_ps), (2, 2));
    call(&mut books, MALLOC, [16, 0], HEAP);
    write(&mut books, HEAP + 4, 4);
    assert_eq!(books.findings()[0].count, 1);
}

#[test]
fn a_block_is_freed_once() {
    let mut books = blocks();
    call(&mut books, MALLOC, [16, 0], HEAP);
    call(&mut books, FREE, [0, 0], 0);
    call(&mut books, FREE, [HEAP, 0], 0);
    enter(&mut books, FREE, STACK, [HEAP, 0]);
    assert_eq!(kinds(&mut books), [BlockKind::DoubleFree], "also if the call never returns");
}

#[test]
fn only_what_was_allocated_can_be_freed() {
    let mut books = blocks();
    call(&mut books, MALLOC, [16, 0], HEAP);
    call(&mut books, FREE, [HEAP + 4, 0], 0);
    call(&mut books, FREE, [0xE000, 0], 0);
    assert_eq!(kinds(&mut books), [BlockKind::BadFree, BlockKind::BadFree]);
    assert_eq!(books.findings()[0].block.map(|block| block.start), Some(HEAP));
    assert_eq!(books.findings()[1].block, None);
    assert_eq!(books.live().len(), 1);
}

#[test]
fn an_argument_that_no_cache_had_at_the_begin_is_known_at_the_return() {
    let mut books = blocks();
    enter(&mut books, MALLOC, STACK, [0, 0]);
    leave(&mut books, STACK, [16, 0], HEAP);
    enter(&mut books, FREE, STACK, [0, 0]);
    leave(&mut books, STACK, [HEAP, 0], 0);
    assert_eq!(books.live(), []);
    assert_eq!(kinds(&mut books), []);
}

#[test]
fn realloc_moves_keeps_or_leaves_a_block() {
    let mut books = blocks();
    call(&mut books, MALLOC, [16, 0], HEAP);
    call(&mut books, REALLOC, [HEAP, 8], HEAP);
    write(&mut books, HEAP + 8, 1);
    assert_eq!(kinds(&mut books), [BlockKind::Beyond], "cut in place");
    call(&mut books, REALLOC, [HEAP, 32], HEAP + 0x40);
    assert_eq!(
        books.live().iter().map(|(_, block)| block.start).collect::<Vec<_>>(),
        [HEAP + 0x40]
    );
    write(&mut books, HEAP, 4);
    assert_eq!(kinds(&mut books), [BlockKind::Beyond, BlockKind::UseAfterFree]);
    call(&mut books, REALLOC, [HEAP + 0x40, 0x4000_0000], 0);
    assert_eq!(books.live().len(), 1, "no room: the old block stays");
}

#[test]
fn what_an_allocator_does_itself_is_not_checked() {
    let mut books = blocks();
    call(&mut books, MALLOC, [16, 0], HEAP);
    enter(&mut books, REALLOC, STACK, [HEAP, 32]);
    enter(&mut books, MALLOC, STACK - 0x20, [32, 0]);
    leave(&mut books, STACK - 0x20, [32, 0], HEAP + 0x40);
    write(&mut books, HEAP - 8, 8);
    enter(&mut books, FREE, STACK - 0x20, [HEAP, 0]);
    leave(&mut books, STACK - 0x20, [HEAP, 0], 0);
    leave(&mut books, STACK, [HEAP, 32], HEAP + 0x40);
    assert_eq!(kinds(&mut books), []);
    assert_eq!(books.live().len(), 1);
}

#[test]
fn calloc_multiplies() {
    let mut books = blocks();
    call(&mut books, CALLOC, [3, 5], HEAP);
    write(&mut books, HEAP + 14, 1);
    assert_eq!(kinds(&mut books), []);
    write(&mut books, HEAP + 15, 1);
    assert_eq!(kinds(&mut books), [BlockKind::Beyond]);
}

#[test]
fn each_core_has_a_heap_unless_they_share_one() {
    for one in [false, true] {
        let mut books = books(one);
        call(&mut books, MALLOC, [16, 0], HEAP);
        call(&mut books, FREE, [HEAP, 0], 0);
        books.access(1, 3, &access(AccessKind::Load, 0x60, HEAP, 4));
        assert_eq!(books.findings().len(), usize::from(one));
    }
}

#[test]
fn a_block_may_be_left_where_an_argument_points_to() {
    let mut books = blocks();
    enter(&mut books, ALIGNED, STACK, [0xE000, 16]);
    let mut access = access(AccessKind::Left, 0, STACK, 8);
    access.value = u64::from(HEAP) << 32;
    books.access(0, 2, &access);
    write(&mut books, HEAP + 15, 1);
    assert_eq!(kinds(&mut books), []);
    write(&mut books, HEAP + 16, 1);
    assert_eq!(kinds(&mut books), [BlockKind::Beyond]);
    assert_eq!(books.live().len(), 1);
}

#[test]
fn a_block_that_no_cache_shows_makes_the_rest_uncertain() {
    let mut books = blocks();
    call(&mut books, MALLOC, [16, 0], HEAP);
    call(&mut books, ALIGNED, [0xE000, 16], 0);
    write(&mut books, HEAP + 0x40, 4);
    call(&mut books, FREE, [HEAP + 0x40, 0], 0);
    assert_eq!(kinds(&mut books), []);
    write(&mut books, HEAP + 16, 4);
    assert_eq!(kinds(&mut books), [BlockKind::Beyond]);
    assert_eq!(books.live(), []);
}

#[test]
fn an_allocator_may_call_another_one_for_its_own_lists() {
    let mut books = blocks();
    enter(&mut books, CALLOC, STACK, [64, 1]);
    enter(&mut books, MALLOC, STACK - 0x20, [12, 0]);
    leave(&mut books, STACK - 0x20, [12, 0], HEAP);
    leave(&mut books, STACK, [64, 1], 0x5000);
    write(&mut books, HEAP, 4);
    assert_eq!(kinds(&mut books), []);
    assert_eq!(books.live().len(), 2);
}

#[test]
fn of_threads_only_the_program_is_checked_and_what_it_calls() {
    let mut books = books(true);
    call(&mut books, MALLOC, [16, 0], HEAP);
    let mut copy = access(AccessKind::Store, 0x84, HEAP + 16, 4);
    books.access(0, 3, &copy);
    copy.stack[1] = 0x900;
    books.access(0, 3, &copy);
    assert_eq!(kinds(&mut books), [], "the layer called it");
    copy.stack[1] = 0x70;
    books.access(0, 3, &copy);
    copy.stack[1] = 0x74;
    books.access(0, 3, &copy);
    assert_eq!(kinds(&mut books), [BlockKind::Beyond, BlockKind::Beyond], "one for each call");
}
