//! Offsets of what translated code uses of a core.

use std::mem::offset_of;

use rockcreek_cache::write_combine;
use rockcreek_x87::layout;

use crate::core::Core;
use crate::segment::Segment;
use crate::translator::pages::HostPage;

pub const GENERAL: i32 = offset_of!(Core, state.general) as i32;
pub const EIP: i32 = offset_of!(Core, state.eip) as i32;
pub const NEXT_EIP: i32 = offset_of!(Core, state.next_eip) as i32;
pub const CYCLES: i32 = offset_of!(Core, state.cycles) as i32;
pub const END: i32 = offset_of!(Core, host.end) as i32;
pub const LIMIT: i32 = offset_of!(Core, host.limit) as i32;
pub const REACH_LIMIT: i32 = offset_of!(Core, host.reach_limit) as i32;
pub const AROUND: i32 = offset_of!(Core, host.around) as i32;
pub const STORES_AROUND: i32 = offset_of!(Core, host.stores_around) as i32;
pub const SET_MASK: i32 = offset_of!(Core, host.set_mask) as i32;
pub const L2_CYCLES: i32 = offset_of!(Core, host.l2_cycles) as i32;
pub const TLB_USES: i32 = offset_of!(Core, host.tlb_uses) as i32;
pub const TURNS: i32 = offset_of!(Core, host.turns) as i32;
pub const TLB_MASK: i32 = offset_of!(Core, host.tlb_mask) as i32;
pub const TLB_PAGES: i32 = offset_of!(Core, host.tlb_pages) as i32;
pub const TLB_ENTRIES: i32 = offset_of!(Core, host.tlb_entries) as i32;
pub const LARGE_PAGES: i32 = offset_of!(Core, host.large_pages) as i32;
pub const WALK_CYCLES: i32 = offset_of!(Core, host.walk_cycles) as i32;
pub const HOST_PLACES: i32 = offset_of!(Core, host.places) as i32;
pub const LOOKS_UP: i32 = offset_of!(Core, host.looks_up) as i32;
pub const SYSTEM_FLAGS: i32 = offset_of!(Core, state.system_flags) as i32;
pub const CR0: i32 = offset_of!(Core, state.cr0) as i32;
pub const CR3: i32 = offset_of!(Core, state.cr3) as i32;
pub const NEED_READ: i32 = offset_of!(Core, state.need_read) as i32;
pub const NEED_WRITE: i32 = offset_of!(Core, state.need_write) as i32;
pub const WALK_PAGE: i32 = offset_of!(Core, state.walk_page) as i32;
pub const WALKS_FOR_DATA: i32 = offset_of!(Core, state.walks_for_data) as i32;
pub const READ_STALLS: i32 = offset_of!(Core, state.counters.read_stall_cycles) as i32;
pub const WALK_MISSES: i32 = offset_of!(Core, state.counters.walk_misses) as i32;
pub const DTLB_MISSES: i32 = offset_of!(Core, state.counters.dtlb_misses) as i32;
pub const PATIENCE: i32 = offset_of!(Core, host.patience) as i32;
pub const PATIENCE_ANEW: i32 = offset_of!(Core, host.patience_anew) as i32;
/// Of the known page at a place (`lookup::emit_place`).
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
const PAGES: i32 = offset_of!(Core, host.pages) as i32;
pub const CODE_TAGS: i32 = offset_of!(Core, host.code_lines.tags) as i32;
pub const CODE_SETS: i32 = offset_of!(Core, host.code_sets) as i32;
pub const CODE_STATES: i32 = offset_of!(Core, host.code_lines.states) as i32;
pub const CODE_VERSIONS: i32 = offset_of!(Core, host.code_lines.versions) as i32;
pub const CODE_ENTRIES: i32 = offset_of!(Core, host.code_entries) as i32;
pub const CODE_TLB_MASK: i32 = offset_of!(Core, host.code_tlb_mask) as i32;
pub const BUFFER_LINE: i32 = (offset_of!(Core, caches) + write_combine::LINE) as i32;
pub const BUFFER_BYTES: i32 = (offset_of!(Core, caches) + write_combine::BYTES) as i32;
pub const BUFFER_ENABLE: i32 = (offset_of!(Core, caches) + write_combine::ENABLE) as i32;
pub const WRITE_MISSES: i32 = (offset_of!(Core, caches) + write_combine::WRITE_MISSES) as i32;
pub const REFILLS: i32 = offset_of!(Core, host.refills) as i32;
pub const OWES: i32 = offset_of!(Core, host.owes) as i32;
pub const WRITE_BACKS: i32 = offset_of!(Core, host.write_backs) as i32;
pub const LOAD: i32 = offset_of!(Core, host.reach_stubs) as i32;
pub const STORE: i32 = LOAD + 8;
pub const MODIFY: i32 = LOAD + 16;
pub const RESOLVE: i32 = offset_of!(Core, host.resolve_stub) as i32;
pub const LEAVE: i32 = offset_of!(Core, host.leave_stub) as i32;
pub const COMBINING: i32 = offset_of!(Core, host.combining) as i32;
pub const COMBINING_PAGE: i32 = offset_of!(Core, host.combining_page) as i32;
pub const COMBINING_RECENT: i32 = offset_of!(Core, host.combining_recent) as i32;
pub const COMBINING_REFILLS: i32 = offset_of!(Core, host.combining_refills) as i32;
pub const HOW: i32 = offset_of!(Core, host.how) as i32;
pub const TLB_CHANGED: i32 = offset_of!(Core, tlbs.data.changed) as i32;
pub const HELD: i32 = offset_of!(Core, host.held) as i32;
pub const QUICK: i32 = offset_of!(Core, host.quick) as i32;
pub const RECENT_CODE: i32 = offset_of!(Core, host.recent_code) as i32;
pub const RAW_FLAGS: i32 = offset_of!(Core, host.raw_flags) as i32;
pub const TARGETS: i32 = offset_of!(Core, host.targets) as i32;
pub const EXIT: i32 = offset_of!(Core, host.exit) as i32;
pub const COUNTS: i32 = offset_of!(Core, host.counts) as i32;
pub const HOST_CONTROL: i32 = offset_of!(Core, host.control_word) as i32;
pub const X87_IMAGE: i32 = offset_of!(Core, host.x87_image) as i32;
pub const SPLIT: i32 = offset_of!(Core, host.split) as i32;
pub const CLOCK_BEFORE: i32 = offset_of!(Core, host.clock_before) as i32;
pub const ONWARD: i32 = offset_of!(Core, host.onward) as i32;
pub const RESUME: i32 = offset_of!(Core, host.resume) as i32;
pub const RESUME_OP: i32 = offset_of!(Core, host.resume_op) as i32;
pub const BEYOND: i32 = offset_of!(Core, host.beyond) as i32;
pub const SENT_VALUE: i32 = offset_of!(Core, host.sent_value) as i32;
pub const SENT_SIZE: i32 = offset_of!(Core, host.sent_size) as i32;
pub const ANSWERS: i32 = offset_of!(Core, host.answers) as i32;
pub const ARRIVED: i32 = offset_of!(Core, host.arrived) as i32;
pub const FETCHING: i32 = offset_of!(Core, host.fetching) as i32;
pub const MESSAGE_LINE: i32 = offset_of!(Core, host.message_line) as i32;
pub const OUTCOME: i32 = offset_of!(Core, host.outcome) as i32;
pub const EXPECTED: i32 = offset_of!(Core, host.expected) as i32;
pub const FPU: usize = offset_of!(Core, state.fpu);
pub const X87_CONTROL: i32 = (FPU + layout::CONTROL) as i32;
pub const X87_FLAGS: i32 = (FPU + layout::FLAGS) as i32;
pub const X87_TOP: i32 = (FPU + layout::TOP) as i32;
pub const X87_EMPTY: i32 = (FPU + layout::EMPTY) as i32;
pub const X87_INSTRUCTION_SELECTOR: i32 = (FPU + layout::INSTRUCTION_SELECTOR) as i32;
pub const X87_INSTRUCTION_OFFSET: i32 = (FPU + layout::INSTRUCTION_OFFSET) as i32;
pub const X87_OPCODE: i32 = (FPU + layout::OPCODE) as i32;
pub const X87_OPERAND_SELECTOR: i32 = (FPU + layout::OPERAND_SELECTOR) as i32;
pub const X87_OPERAND_OFFSET: i32 = (FPU + layout::OPERAND_OFFSET) as i32;
/// The selector of a segment register.
pub const fn selector(segment: u8) -> i32 {
    of_segment(segment, offset_of!(Segment, selector))
}
/// Its base.
pub const fn base(segment: u8) -> i32 {
    of_segment(segment, offset_of!(Segment, base))
}
/// Whether every offset of it may be read, or written.
pub const fn open(segment: u8, write: bool) -> i32 {
    of_segment(segment, if write { Segment::OPEN_WRITE } else { Segment::OPEN_READ })
}
const fn of_segment(segment: u8, field: usize) -> i32 {
    let segments = offset_of!(Core, state.segments) + segment as usize * size_of::<Segment>();
    (segments + field) as i32
}
pub const CARRIED: i32 = offset_of!(Core, host.carried) as i32;
pub const BANK: i32 = offset_of!(Core, bank) as i32;
pub const PAIRED_ACCESSES: i32 = offset_of!(Core, state.counters.paired_accesses) as i32;
pub const MISALIGNED_CYCLES: i32 = offset_of!(Core, host.misaligned_cycles) as i32;
pub const MISALIGNED: i32 = offset_of!(Core, state.counters.misaligned_references) as i32;
pub const BANK_CONFLICTS: i32 = offset_of!(Core, state.counters.bank_conflicts) as i32;
pub const MULTIPLIER: i32 = offset_of!(Core, state.x87.integer_multiplier) as i32;
pub const BRANCH_TARGETS: i32 = offset_of!(Core, host.branch_targets) as i32;
pub const BRANCHES_WRITTEN: i32 = offset_of!(Core, branches.written) as i32;
pub const GENERATION: i32 = offset_of!(Core, branches.generation) as i32;
pub const HITS: i32 = offset_of!(Core, state.counters.branch_target_hits) as i32;
pub const HITS_NOT_TAKEN: i32 =
    offset_of!(Core, state.counters.branch_target_hits_not_taken) as i32;
pub const FLUSHES: i32 = offset_of!(Core, state.counters.pipeline_flushes) as i32;
pub const FETCHED: i32 = offset_of!(Core, fetched) as i32;
