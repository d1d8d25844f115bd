//! The cost of an x87 instruction for a core: the clocks in addition to its block's schedule, and
//! the waits for operands.
//!
//! The latencies themselves are in `timing/x87_latency.rs`.
//!
//! Source: `fog-microarchitecture`, the P1; numbers in `machine/isa/x87.toml`.

use rockcreek_x87::Form;

use crate::core::parts::Core;
use crate::execute::op::Op;
use crate::timing::x87_latency::X87Issue;

impl Core {
    /// Charges the core cycles for which a store must wait until the x87 has computed the value. A
    /// second call for the same instruction adds nothing.
    pub(crate) fn wait_for_x87(&mut self, op: &Op, form: &Form) {
        let now = self.state.cycles + u64::from(op.cycles);
        let issued = self.x87_issue(op, form, self.state.fpu.top());
        self.state.cycles += self.state.x87.store_start(&issued, now) - now;
    }

    /// Charges an executed x87 instruction; `top` is the top of the stack before it.
    pub(crate) fn charge_x87(&mut self, op: &Op, form: &Form, top: u8) {
        let (cycles, extra) = (self.state.cycles, u64::from(self.state.extra_cycles));
        let issued = self.x87_issue(op, form, top);
        self.state.extra_cycles += self.state.x87.execute(&issued, cycles, extra) as u32;
    }

    fn x87_issue<'a>(&self, op: &Op, form: &'a Form, top: u8) -> X87Issue<'a> {
        let control = self.state.fpu.control();
        X87Issue { form, register: op.a, clocks: op.cycles, top, control }
    }

    /// Charges the core cycles for which an integer multiplication must wait for an x87 instruction
    /// that uses the multiplier.
    #[inline]
    pub(crate) fn wait_for_multiplier(&mut self) {
        let until = self.state.x87.integer_multiplier;
        if until > self.state.cycles {
            self.state.extra_cycles += (until - self.state.cycles) as u32;
        }
    }
}
