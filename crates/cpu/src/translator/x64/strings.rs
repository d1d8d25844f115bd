//! REP MOVS and REP STOS, line by line: as many elements as lie in one line on either side are moved
//! together, with the clocks and counts of as many iterations. The interpreter does the rest.

use iced_x86::Mnemonic;
use rockcreek_defs::LINE_BYTES;

use crate::core::Core;
use crate::exception::Done;
use crate::flags;
use crate::isa::string::{MOVS, STOS, string};
use crate::op::{Handler, Op};
use crate::registers::gpr;
use crate::translator::reach::Access;
use crate::translator::region::Item;

const LINE: u32 = LINE_BYTES as u32;
/// Services of L2 for one element at most: a victim and a line for the load, and the store.
const SERVICES: u64 = 3;

/// The handler of a repeated instruction in translated code.
pub(super) fn handler(item: &Item) -> Option<Handler> {
    let repeated = item.op().repeated();
    Some(match item.shape().mnemonic {
        _ if !repeated => return None,
        Mnemonic::Movsb => repeat::<1, MOVS>,
        Mnemonic::Movsw => repeat::<2, MOVS>,
        Mnemonic::Movsd => repeat::<4, MOVS>,
        Mnemonic::Stosb => repeat::<1, STOS>,
        Mnemonic::Stosw => repeat::<2, STOS>,
        Mnemonic::Stosd => repeat::<4, STOS>,
        _ => return None,
    })
}

/// Executes iterations while they need no more than the caches and end before the deadline, then
/// all others.
fn repeat<const SIZE: usize, const KIND: u8>(core: &mut Core, op: &Op) -> Done {
    let segment = core.state.segments[usize::from(op.segment) & 7];
    let up = core.state.system_flags & flags::DF == 0;
    if up && segment.open_read() && segment.base == 0 && op.address_mask == u32::MAX {
        while core.some_elements(op, SIZE as u32, KIND == MOVS) {}
    }
    string::<SIZE, KIND>(core, op)
}

impl Core {
    /// The elements of one line; false if there were none.
    fn some_elements(&mut self, op: &Op, size: u32, moves: bool) -> bool {
        let [source, target] = [self.state.general[gpr::ESI], self.state.general[gpr::EDI]];
        let ecx = self.state.general[gpr::ECX];
        let aligned = (if moves { source | target } else { target }) & (size - 1) == 0;
        let (each, service) = (u64::from(op.extra), u64::from(self.l2_cycles()));
        let left = self.deadline.saturating_sub(self.state.cycles + 1);
        let Some(left) = left.checked_sub(SERVICES * service + each) else { return false };
        // What an element that waited has done so far is in the log.
        if !aligned || ecx == 0 || !self.log.is_fresh() {
            return false;
        }
        let mut room = LINE - target % LINE;
        let mut from = 0;
        if moves {
            room = room.min(LINE - source % LINE);
            let Ok(place) = self.reach(source, 0, Access::Load) else { return false };
            self.state.cycles += u64::from(place.cycles);
            from = place.origin.wrapping_add(u64::from(source));
        }
        let Ok(place) = self.reach(target, 0, Access::Store) else { return false };
        let around = u64::from(place.cycles);
        let count = u64::from((room / size).min(ecx)).min(1 + left / (each + around));
        self.state.cycles += count * (each + around);
        self.host.stores_around += if around > 0 { count - 1 } else { 0 };
        self.settle_stores_around();
        let counters = &mut self.state.counters;
        counters.stores += count;
        counters.loads += if moves { count } else { 0 };
        let to = place.origin.wrapping_add(u64::from(target));
        let bytes = count as usize * size as usize;
        let general = &mut self.state.general;
        if moves {
            copy(from, to, bytes, size as usize);
            general[gpr::ESI] = source.wrapping_add(bytes as u32);
        } else {
            fill(to, general[gpr::EAX], bytes, size as usize);
        }
        general[gpr::EDI] = target.wrapping_add(bytes as u32);
        general[gpr::ECX] = ecx - count as u32;
        true
    }
}

/// Moves elements in their order, each as it is when its turn comes.
fn copy(from: u64, to: u64, bytes: usize, size: usize) {
    let (from, to) = (from as *const u8, to as *mut u8);
    for at in (0..bytes).step_by(size) {
        // SAFETY: `reach` gave two places in the core's caches, each with as many bytes left in
        // its line; the caches are not used meanwhile.
        unsafe { std::ptr::copy(from.add(at), to.add(at), size) };
    }
}

fn fill(to: u64, value: u32, bytes: usize, size: usize) {
    let value = value.to_le_bytes();
    for at in (0..bytes).step_by(size) {
        // SAFETY: as in `copy`; a value has at most four bytes.
        unsafe { std::ptr::copy(value.as_ptr(), (to as *mut u8).add(at), size) };
    }
}
