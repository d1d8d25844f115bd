//! Decimal arithmetic: DAA, DAS, AAA, AAS, AAM, AAD.
//!
//! Undefined flags: OF is 0 after all of them; SF, ZF and PF follow AL where the manual leaves
//! them undefined; CF and AF are 0 after AAM and AAD.

use iced_x86::Mnemonic;

use crate::core::parts::Core;
use crate::execute::op::{Handler, Op};
use crate::instruction::shape::Shape;
use crate::registers::flags;
use crate::registers::register_file::gpr;
use crate::state::exception::{Done, vector};

const AL: u8 = gpr::EAX as u8;
const AX: u8 = gpr::EAX as u8;

/// Sets SF, ZF and PF from `al`, and CF and AF from the arguments; OF is 0 afterwards.
fn set_flags(core: &mut Core, al: u32, cf: bool, af: bool) {
    core.state.flags.after_logic::<1>(al);
    let image = core.state.flags.image();
    let carry = if cf { flags::CF } else { 0 };
    let auxiliary = if af { flags::AF } else { 0 };
    core.state.flags.load(image | carry | auxiliary);
}

fn decimal_adjust<const SUBTRACT: bool>(core: &mut Core, _: &Op) -> Done {
    let old = core.register::<1>(AL);
    let (old_cf, old_af) = (core.state.flags.cf(), core.state.flags.af());
    let adjust = |value: u32, by: u32| {
        if SUBTRACT { value.wrapping_sub(by) } else { value.wrapping_add(by) }
    };
    let mut al = old;
    let mut cf = false;
    let af = old & 0xF > 9 || old_af;
    if af {
        let adjusted = adjust(al, 6);
        cf = old_cf || adjusted > 0xFF;
        al = adjusted & 0xFF;
    }
    if old > 0x99 || old_cf {
        al = adjust(al, 0x60) & 0xFF;
        cf = true;
    }
    core.set_register::<1>(AL, al);
    set_flags(core, al, cf, af);
    Ok(())
}

fn ascii_adjust<const SUBTRACT: bool>(core: &mut Core, _: &Op) -> Done {
    let ax = core.register::<2>(AX);
    let carry = ax & 0xF > 9 || core.state.flags.af();
    let adjusted = match (carry, SUBTRACT) {
        (false, _) => ax,
        (true, false) => ax.wrapping_add(0x106),
        (true, true) => ax.wrapping_sub(0x106),
    };
    let result = adjusted & 0xFF0F;
    core.set_register::<2>(AX, result);
    set_flags(core, result & 0xFF, carry, carry);
    Ok(())
}

fn adjust_multiply(core: &mut Core, op: &Op) -> Done {
    let base = op.immediate & 0xFF;
    if base == 0 {
        return Err(core.raise(vector::DIVIDE));
    }
    let al = core.register::<1>(AL);
    core.set_register::<2>(AX, ((al / base) << 8) | (al % base));
    set_flags(core, al % base, false, false);
    Ok(())
}

fn adjust_divide(core: &mut Core, op: &Op) -> Done {
    let ax = core.register::<2>(AX);
    let al = (ax & 0xFF).wrapping_add((ax >> 8).wrapping_mul(op.immediate & 0xFF)) & 0xFF;
    core.set_register::<2>(AX, al);
    set_flags(core, al, false, false);
    Ok(())
}

pub(crate) fn select(shape: &Shape) -> Option<Handler> {
    Some(match shape.mnemonic {
        Mnemonic::Daa => decimal_adjust::<false>,
        Mnemonic::Das => decimal_adjust::<true>,
        Mnemonic::Aaa => ascii_adjust::<false>,
        Mnemonic::Aas => ascii_adjust::<true>,
        Mnemonic::Aam => adjust_multiply,
        Mnemonic::Aad => adjust_divide,
        _ => return None,
    })
}
