//! The most frequent steps, one after another: a request enters the mesh, or takes effect in memory
//! or a message-passing buffer. Each of these steps causes only its core's next step. The
//! conditions for other effects are therefore checked once before the first step, not at each.

use rockcreek_defs::{CoreId, Ps};
use rockcreek_engine::Bound;

use crate::processor::Processor;
use crate::scheduler::chip::Chip;
use crate::slot::Phase;
use crate::uncore::wiring::order;

impl<P: Processor> Chip<P> {
    /// Performs the chip's next events as long as they are frequent steps of cores (see above) and
    /// no call of `go_on` is due. Does nothing if each step must be observed.
    #[inline]
    pub(crate) fn perform_usual_steps(&mut self) {
        if self.is_observed() {
            return;
        }
        let bound = match self.queue.peek() {
            None => self.steps.bound(self.limit),
            // Only steps before the first event of the queue.
            Some((event, _)) => match event.time.0.checked_sub(1) {
                Some(before) => self.steps.bound(self.limit.min(Ps(before))),
                None => return,
            },
        };
        while self.question > 1 && self.perform_usual_step(bound) {
            self.question -= 1;
        }
    }

    /// Performs the next step of all cores if it is within `bound` and a frequent one; returns true
    /// if it was.
    #[inline(always)]
    fn perform_usual_step(&mut self, bound: Bound) -> bool {
        let Some(key) = self.steps.first_before(bound) else { return false };
        let enters = order::is_interface(key.unit);
        if !enters && !order::only_keeps_bytes(key.unit) {
            return false;
        }
        let core = CoreId(key.source as u16);
        let slot = &self.slots[core.index()];
        debug_assert_eq!(enters, slot.phase == Phase::Inject);
        if self.is_checked(core) {
            return false;
        }
        debug_assert!(!slot.breaks, "a core stops for a debugger at an instruction boundary");
        self.present = key;
        self.take_out(key);
        self.performed(key);
        match enters {
            true => self.inject(core, key),
            false => self.arrive_unobserved(core),
        }
        true
    }
}
