//! Byte offsets of those parts of a core that translated code uses.

use std::mem::offset_of;

use rockcreek_cache::write_combine;
use rockcreek_x87::layout;

use crate::core::parts::Core;
use crate::registers::segment::Segment;
use crate::translator_frame::host_frame::Split;
use crate::translator_frame::known_pages::HostPage;

/// The offset in the core to which RBP points, chosen so that the most frequently used fields are
/// within reach of a one-byte offset.
pub const MIDDLE: i32 = offset_of!(Core, host) as i32 + 128;
/// The offset from RBP of a field at byte `offset` of the core.
pub const fn of(offset: usize) -> i32 {
    offset as i32 - MIDDLE
}
/// The offset as a signed byte; compilation fails if it does not fit.
pub const fn near(offset: i32) -> i8 {
    assert!(offset >= i8::MIN as i32 && offset <= i8::MAX as i32);
    offset as i8
}

pub const GENERAL: i32 = of(offset_of!(Core, state.general));
pub const EIP: i32 = of(offset_of!(Core, state.eip));
pub const NEXT_EIP: i32 = of(offset_of!(Core, state.next_eip));
pub const CYCLES: i32 = of(offset_of!(Core, state.cycles));
pub const END: i32 = of(offset_of!(Core, host.end));
pub const LIMIT: i32 = of(offset_of!(Core, host.limit));
pub const REACH_LIMIT: i32 = of(offset_of!(Core, host.reach_limit));
pub const AROUND: i32 = of(offset_of!(Core, host.around));
pub const STORES_AROUND: i32 = of(offset_of!(Core, host.stores_around));
pub const SET_MASK: i32 = of(offset_of!(Core, host.set_mask));
pub const L2_CYCLES: i32 = of(offset_of!(Core, host.l2_cycles));
pub const TLB_USES: i32 = of(offset_of!(Core, host.tlb_uses));
pub const TURNS: i32 = of(offset_of!(Core, host.turns));
pub const TLB_MASK: i32 = of(offset_of!(Core, host.tlb_mask));
pub const TLB_PAGES: i32 = of(offset_of!(Core, host.tlb_pages));
pub const TLB_ENTRIES: i32 = of(offset_of!(Core, host.tlb_entries));
pub const LARGE_PAGES: i32 = of(offset_of!(Core, host.large_pages));
pub const WALK_CYCLES: i32 = of(offset_of!(Core, host.walk_cycles));
pub const HOST_PLACES: i32 = of(offset_of!(Core, host.places));
pub const LOOKS_UP: i32 = of(offset_of!(Core, host.looks_up));
pub const SYSTEM_FLAGS: i32 = of(offset_of!(Core, state.system_flags));
pub const CR0: i32 = of(offset_of!(Core, state.cr0));
pub const CR3: i32 = of(offset_of!(Core, state.cr3));
pub const NEED_READ: i32 = of(offset_of!(Core, state.need_read));
pub const NEED_WRITE: i32 = of(offset_of!(Core, state.need_write));
pub const WALK_PAGE: i32 = of(offset_of!(Core, state.walk_page));
pub const WALKS_FOR_DATA: i32 = of(offset_of!(Core, state.walks_for_data));
pub const READ_STALLS: i32 = of(offset_of!(Core, state.counters.read_stall_cycles));
pub const DTLB_MISSES: i32 = of(offset_of!(Core, state.counters.dtlb_misses));
pub const PATIENCE: i32 = of(offset_of!(Core, host.patience));
pub const PATIENCE_ANEW: i32 = of(offset_of!(Core, host.patience_anew));
/// Offsets of the fields of a known page, to add to the page's place (`emit_place` in
/// `l1d_lookup.rs`).
pub const PAGE_LOADS: i32 = PAGES + offset_of!(HostPage, loads) as i32;
pub const PAGE_STORES: i32 = PAGES + offset_of!(HostPage, stores) as i32;
pub const PAGE_COMBINES: i32 = PAGES + offset_of!(HostPage, combines) as i32;
pub const PAGE_FRAME: i32 = PAGES + offset_of!(HostPage, frame) as i32;
pub const PAGE_NUMBER: i32 = PAGES + offset_of!(HostPage, page) as i32;
pub const PAGE_INDEX: i32 = PAGES + offset_of!(HostPage, index) as i32;
pub const PAGE_OFFSET: i32 = PAGES + offset_of!(HostPage, offset) as i32;
pub const PAGE_KEPT: i32 = PAGES + offset_of!(HostPage, kept) as i32;
pub const PAGE_TURNED: i32 = PAGES + offset_of!(HostPage, turned) as i32;
pub const PAGE_KNOWN: i32 = PAGES + offset_of!(HostPage, known) as i32;
pub const PAGE_PAST_L2: i32 = PAGES + offset_of!(HostPage, past_l2) as i32;
const PAGES: i32 = of(offset_of!(Core, host.pages));
pub const CODE_TAGS: i32 = of(offset_of!(Core, host.code_lines.tags));
pub const CODE_SETS: i32 = of(offset_of!(Core, host.code_sets));
pub const CODE_STATES: i32 = of(offset_of!(Core, host.code_lines.states));
pub const CODE_VERSIONS: i32 = of(offset_of!(Core, host.code_lines.versions));
pub const CODE_ENTRIES: i32 = of(offset_of!(Core, host.code_entries));
pub const CODE_TLB_MASK: i32 = of(offset_of!(Core, host.code_tlb_mask));
pub const BUFFER_LINE: i32 = of(offset_of!(Core, caches) + write_combine::LINE);
pub const BUFFER_BYTES: i32 = of(offset_of!(Core, caches) + write_combine::BYTES);
pub const BUFFER_ENABLE: i32 = of(offset_of!(Core, caches) + write_combine::ENABLE);
pub const WRITE_MISSES: i32 = of(offset_of!(Core, caches) + write_combine::WRITE_MISSES);
pub const REFILLS: i32 = of(offset_of!(Core, host.refills));
pub const OWES: i32 = of(offset_of!(Core, host.owes));
pub const WRITE_BACKS: i32 = of(offset_of!(Core, host.write_backs));
pub const LEAVE: i32 = of(offset_of!(Core, host.leave_stub));
pub const COMBINING: i32 = of(offset_of!(Core, host.combining));
pub const COMBINING_PAGE: i32 = of(offset_of!(Core, host.combining_page));
pub const COMBINING_RECENT: i32 = of(offset_of!(Core, host.combining_recent));
pub const COMBINING_REFILLS: i32 = of(offset_of!(Core, host.combining_refills));
pub const HOW: i32 = of(offset_of!(Core, host.how));
pub const TLB_CHANGED: i32 = of(offset_of!(Core, tlbs.data.changed));
pub const TRANSFERS: i32 = of(offset_of!(Core, host.transfers));
pub const HELD: i32 = of(offset_of!(Core, host.held));
pub const QUICK: i32 = of(offset_of!(Core, host.quick));
pub const RECENT_CODE: i32 = of(offset_of!(Core, host.recent_code));
pub const RAW_FLAGS: i32 = of(offset_of!(Core, host.raw_flags));
pub const TARGETS: i32 = of(offset_of!(Core, host.targets));
pub const EXIT: i32 = of(offset_of!(Core, host.exit));
pub const CAME_BY: i32 = of(offset_of!(Core, host.came_by));
pub const COUNTS: i32 = of(offset_of!(Core, host.counts));
pub const HOST_CONTROL: i32 = of(offset_of!(Core, host.control_word));
pub const X87_IMAGE: i32 = of(offset_of!(Core, host.x87_image));
pub const SPLIT: i32 = of(offset_of!(Core, host.split));
pub const SPLIT_OPERAND: i32 = SPLIT + offset_of!(Split, operand) as i32;
pub const CLOCK_BEFORE: i32 = of(offset_of!(Core, host.clock_before));
pub const ONWARD: i32 = of(offset_of!(Core, host.onward));
pub const RESUME: i32 = of(offset_of!(Core, host.resume));
pub const RESUME_OP: i32 = of(offset_of!(Core, host.resume_op));
pub const BEYOND: i32 = of(offset_of!(Core, host.beyond));
pub const SENT_VALUE: i32 = of(offset_of!(Core, host.sent_value));
pub const SENT_SIZE: i32 = of(offset_of!(Core, host.sent_size));
pub const ANSWERS: i32 = of(offset_of!(Core, host.answers));
pub const ARRIVED: i32 = of(offset_of!(Core, host.arrived));
pub const FETCHING: i32 = of(offset_of!(Core, host.fetching));
pub const OUTCOME: i32 = of(offset_of!(Core, host.outcome));
pub const EXPECTED: i32 = of(offset_of!(Core, host.expected));
pub const FPU: usize = offset_of!(Core, state.fpu);
pub const X87_CONTROL: i32 = of(FPU + layout::CONTROL);
pub const X87_FLAGS: i32 = of(FPU + layout::FLAGS);
pub const X87_TOP: i32 = of(FPU + layout::TOP);
pub const X87_EMPTY: i32 = of(FPU + layout::EMPTY);
pub const X87_INSTRUCTION_SELECTOR: i32 = of(FPU + layout::INSTRUCTION_SELECTOR);
pub const X87_INSTRUCTION_OFFSET: i32 = of(FPU + layout::INSTRUCTION_OFFSET);
pub const X87_OPCODE: i32 = of(FPU + layout::OPCODE);
pub const X87_OPERAND_SELECTOR: i32 = of(FPU + layout::OPERAND_SELECTOR);
pub const X87_OPERAND_OFFSET: i32 = of(FPU + layout::OPERAND_OFFSET);
/// The offset from RBP of the selector in a segment register.
pub const fn selector(segment: u8) -> i32 {
    of_segment(segment, offset_of!(Segment, selector))
}
/// The offset from RBP of the base in a segment register.
pub const fn base(segment: u8) -> i32 {
    of_segment(segment, offset_of!(Segment, base))
}
/// The offset from RBP of a segment register's flag that every offset may be read or, if `write`,
/// written.
pub const fn open(segment: u8, write: bool) -> i32 {
    of_segment(segment, if write { Segment::OPEN_WRITE } else { Segment::OPEN_READ })
}
const fn of_segment(segment: u8, field: usize) -> i32 {
    let segments = offset_of!(Core, state.segments) + segment as usize * size_of::<Segment>();
    of(segments + field)
}
pub const CARRIED: i32 = of(offset_of!(Core, host.carried));
pub const BANK: i32 = of(offset_of!(Core, bank));
pub const PAIRED_ACCESSES: i32 = of(offset_of!(Core, state.counters.paired_accesses));
pub const MISALIGNED_CYCLES: i32 = of(offset_of!(Core, host.misaligned_cycles));
pub const MISALIGNED: i32 = of(offset_of!(Core, state.counters.misaligned_references));
pub const BANK_CONFLICTS: i32 = of(offset_of!(Core, state.counters.bank_conflicts));
pub const MULTIPLIER: i32 = of(offset_of!(Core, state.x87.integer_multiplier));
pub const BRANCH_TARGETS: i32 = of(offset_of!(Core, host.branch_targets));
pub const BRANCHES_WRITTEN: i32 = of(offset_of!(Core, branches.written));
pub const BRANCH_PLACES: i32 = of(offset_of!(Core, branches.places));
pub const HITS: i32 = of(offset_of!(Core, state.counters.branch_target_hits));
pub const HITS_NOT_TAKEN: i32 = of(offset_of!(Core, state.counters.branch_target_hits_not_taken));
pub const FLUSHES: i32 = of(offset_of!(Core, state.counters.pipeline_flushes));
pub const FETCHED: i32 = of(offset_of!(Core, fetched));
