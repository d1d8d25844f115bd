//! The number of rounds for which each branch of a loop of simple instructions goes the same way.
//!
//! The code walks one round with the values of `induction.rs` in the registers. Each conditional
//! branch, and each carry that is used, limits the number of rounds to those in which its outcome
//! is the one of this round. Results of other instructions are unknown values: the loop may compute
//! them, but no branch may depend on them.

use iced_x86::{
    Code, ConditionCode, Decoder, DecoderOptions, Instruction, Mnemonic, OpKind, Register,
};

use crate::fast_forward::induction::{Known, SIGN, Value, difference, logic, sum};
use crate::registers::register_file::gpr;

/// The largest number of instructions in a loop that is fast-forwarded.
const MOST_INSTRUCTIONS: usize = 40;

/// Where the flags come from, as far as a branch may depend on them.
#[derive(Clone, Copy, Debug)]
enum Flags {
    Unknown,
    /// The flags are those of a comparison (CMP, SUB) of these two values.
    Difference(Value, Value),
    /// The flags are those of an instruction with this result: ZF and SF are known, CF is unknown.
    Result(Value),
    /// The flags are those of an instruction with this result (AND, TEST): ZF and SF are known, CF
    /// and OF are clear.
    Logic(Value),
    /// The flags are equal in all rounds: `below` is CF, `less` is SF XOR OF, and `result` gives ZF
    /// and SF.
    Fixed {
        below: bool,
        less: bool,
        result: u32,
    },
}

/// A loop of simple instructions, at the start of one of its rounds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Round {
    pub start: u32,
    pub registers: [Value; 8],
    /// The time stamp now, and the core cycles that one round takes.
    pub clock: (u64, u64),
}

impl Round {
    /// In how many rounds, this one included, every branch goes the same way; 0 if unknown. `bytes`
    /// returns the bytes of code at an address.
    pub fn rounds(&self, bytes: impl Fn(u32) -> Vec<u8>) -> u64 {
        let mut known = self.registers.map(Some);
        // A register that the round computes anew must not be read before that computation.
        for _ in 0..2 {
            let Some(walk) = self.walk(known, &bytes) else { return 0 };
            let steady = |n: usize| match (walk.registers[n], known[n]) {
                (Some(end), Some(begin)) => {
                    let next = begin.now.wrapping_add(begin.step);
                    end.step == begin.step && (end.clock || end.now == next)
                }
                _ => true,
            };
            if !(0..known.len()).all(steady) {
                return 0;
            }
            if (0..known.len()).all(|n| walk.registers[n].is_some() || known[n].is_none()) {
                return walk.rounds;
            }
            for (begin, end) in known.iter_mut().zip(walk.registers) {
                *begin = begin.filter(|_| end.is_some());
            }
        }
        0
    }

    fn walk(&self, registers: [Known; 8], bytes: &impl Fn(u32) -> Vec<u8>) -> Option<Walk> {
        let mut walk = Walk {
            registers,
            made: registers.map(|value| value.is_some()),
            flags: Flags::Unknown,
            clock: Some(self.clock),
            rounds: u64::MAX,
        };
        let mut at = self.start;
        for _ in 0..MOST_INSTRUCTIONS {
            let bytes = bytes(at);
            let mut decoder = Decoder::with_ip(32, &bytes, at.into(), DecoderOptions::NONE);
            let instruction = decoder.decode();
            if instruction.is_invalid() {
                return None;
            }
            at = walk.next(&instruction)?;
            if at == self.start {
                return Some(walk);
            }
        }
        None
    }
}

/// The state while the instructions of one round are walked through.
struct Walk {
    registers: [Known; 8],
    /// For each register, true if the round may read it now: its value at the start of the round is
    /// known, or the round has computed it.
    made: [bool; 8],
    flags: Flags,
    /// The time stamp at the round's start and the core cycles of a round; `None` once the round
    /// has read the time stamp.
    clock: Option<(u64, u64)>,
    rounds: u64,
}

impl Walk {
    /// The address of the instruction that is executed next, after `instruction`; `None` if that is
    /// unknown.
    fn next(&mut self, instruction: &Instruction) -> Option<u32> {
        let behind = instruction.next_ip32();
        let target = instruction.near_branch32();
        let taken = match instruction.mnemonic() {
            _ if instruction.op0_kind() == OpKind::NearBranch16 => return None,
            Mnemonic::Jmp if instruction.is_jmp_short_or_near() => true,
            Mnemonic::Loop if instruction.code() == Code::Loop_rel8_32_ECX => {
                let count = self.read(gpr::ECX)??.minus(Value::constant(1))?;
                self.write(gpr::ECX, Some(count));
                !self.lasts(count.zero())?
            }
            _ if instruction.is_jcc_short_or_near() => self.holds(instruction.condition_code())?,
            _ => {
                self.compute(instruction)?;
                false
            }
        };
        Some(if taken { target } else { behind })
    }

    fn compute(&mut self, instruction: &Instruction) -> Option<()> {
        match instruction.mnemonic() {
            Mnemonic::Nop | Mnemonic::Pause => return Some(()),
            Mnemonic::Rdtsc => return self.read_clock(),
            Mnemonic::Lea => {
                let target = register(instruction.op0_register())?;
                let address = self.address(instruction)?;
                self.write(target, address);
                return Some(());
            }
            _ => {}
        }
        let target = operand_register(instruction, 0)?;
        if instruction.mnemonic() == Mnemonic::Mov {
            let value = self.source(instruction)?;
            self.write(target, value);
            return Some(());
        }
        let same = operand_register(instruction, 1) == Some(target);
        if instruction.mnemonic() == Mnemonic::Xor && same {
            let zero = Value::constant(0);
            self.write(target, Some(zero));
            self.flags = Flags::Logic(zero);
            return Some(());
        }
        let a = self.read(target)?;
        let one = Some(Value::constant(1));
        match instruction.mnemonic() {
            Mnemonic::Inc => self.result(target, sum(a, one)),
            Mnemonic::Dec => self.result(target, difference(a, one)),
            Mnemonic::Neg => self.result(target, difference(Some(Value::constant(0)), a)),
            Mnemonic::Add => {
                let b = self.source(instruction)?;
                self.result(target, sum(a, b));
            }
            Mnemonic::Sub | Mnemonic::Cmp => {
                let b = self.source(instruction)?;
                if instruction.mnemonic() == Mnemonic::Sub {
                    self.write(target, difference(a, b));
                }
                self.flags = match (a, b) {
                    (Some(a), Some(b)) => Flags::Difference(a, b),
                    _ => Flags::Unknown,
                };
            }
            Mnemonic::Sbb => {
                let b = self.source(instruction)?;
                self.subtract_with_borrow(target, a?, b?)?;
            }
            Mnemonic::And | Mnemonic::Or | Mnemonic::Xor | Mnemonic::Test => {
                let b = self.source(instruction)?;
                let result = logic(instruction.mnemonic(), a, b, same);
                self.flags = result.map_or(Flags::Unknown, Flags::Logic);
                if instruction.mnemonic() != Mnemonic::Test {
                    self.write(target, result);
                }
            }
            _ => return None,
        }
        Some(())
    }

    /// The value of the instruction's second operand; the inner `None`: it is not known. The outer
    /// `None`: the operand is in memory, or a register that the round must not read yet, so the
    /// walk ends.
    fn source(&self, instruction: &Instruction) -> Option<Known> {
        match instruction.op1_kind() {
            OpKind::Register => self.read(register(instruction.op1_register())?),
            OpKind::Memory => None,
            _ => {
                let immediate = instruction.try_immediate(1).ok()?;
                Some(Some(Value::constant(immediate as u32)))
            }
        }
    }

    fn read(&self, register: usize) -> Option<Known> {
        self.made[register].then_some(self.registers[register])
    }

    fn write(&mut self, register: usize, value: Known) {
        self.registers[register] = value;
        self.made[register] = true;
    }

    fn result(&mut self, target: usize, result: Known) {
        self.write(target, result);
        self.flags = result.map_or(Flags::Unknown, Flags::Result);
    }

    fn address(&self, instruction: &Instruction) -> Option<Known> {
        let part = |of: Register| match of {
            Register::None => Some(Some(Value::constant(0))),
            of => self.read(register(of)?),
        };
        let scale = instruction.memory_index_scale();
        let index = part(instruction.memory_index())?.map(|index| index.times(scale));
        let offset = Some(Value::constant(instruction.memory_displacement32()));
        Some(sum(sum(part(instruction.memory_base())?, index), offset))
    }

    fn read_clock(&mut self) -> Option<()> {
        let (now, step) = self.clock.take()?;
        let low = Value { now: now as u32, step: u32::try_from(step).ok()?, clock: true };
        self.limit(low.rounds_in_range());
        self.write(gpr::EAX, Some(low));
        self.write(gpr::EDX, Some(Value::constant((now >> 32) as u32)));
        Some(())
    }

    fn subtract_with_borrow(&mut self, target: usize, a: Value, b: Value) -> Option<()> {
        let borrow = self.below()?;
        if !a.is_constant() || !b.is_constant() {
            return None;
        }
        let result = a.now.wrapping_sub(b.now).wrapping_sub(borrow.into());
        let signed = |value: Value| i64::from(value.now as i32);
        self.write(target, Some(Value::constant(result)));
        self.flags = Flags::Fixed {
            below: u64::from(a.now) < u64::from(b.now) + u64::from(borrow),
            less: signed(a) < signed(b) + i64::from(borrow),
            result,
        };
        Some(())
    }

    fn limit(&mut self, rounds: u64) {
        self.rounds = self.rounds.min(rounds);
    }

    /// Takes the answer of a comparison (whether it holds, and for how many rounds): returns
    /// whether it holds, and limits the walk to those rounds. `None` if the answer is unknown.
    fn lasts(&mut self, answer: Option<(bool, u64)>) -> Option<bool> {
        let (holds, rounds) = answer?;
        self.limit(rounds);
        Some(holds)
    }

    /// Whether the condition holds in this round (true: yes); limits the walk to the rounds in
    /// which the answer stays the same. `None` if the answer is unknown.
    fn holds(&mut self, condition: ConditionCode) -> Option<bool> {
        use ConditionCode as C;
        Some(match condition {
            C::b => self.below()?,
            C::ae => !self.below()?,
            C::e => self.is_zero()?,
            C::ne => !self.is_zero()?,
            C::be => self.below()? | self.is_zero()?,
            C::a => !(self.below()? | self.is_zero()?),
            C::s => self.is_negative()?,
            C::ns => !self.is_negative()?,
            C::l => self.less()?,
            C::ge => !self.less()?,
            C::le => self.less()? | self.is_zero()?,
            C::g => !(self.less()? | self.is_zero()?),
            _ => return None,
        })
    }

    fn below(&mut self) -> Option<bool> {
        match self.flags {
            Flags::Difference(a, b) => self.lasts(a.below(b)),
            Flags::Logic(_) => Some(false),
            Flags::Fixed { below, .. } => Some(below),
            Flags::Unknown | Flags::Result(_) => None,
        }
    }

    fn less(&mut self) -> Option<bool> {
        match self.flags {
            Flags::Difference(a, b) => self.lasts(a.less(b)),
            Flags::Logic(_) => self.is_negative(),
            Flags::Fixed { less, .. } => Some(less),
            Flags::Unknown | Flags::Result(_) => None,
        }
    }

    fn is_zero(&mut self) -> Option<bool> {
        let result = self.flag_result()?;
        self.lasts(result.zero())
    }

    fn is_negative(&mut self) -> Option<bool> {
        let result = self.flag_result()?;
        self.lasts(result.below(Value::constant(SIGN))).map(|positive| !positive)
    }

    fn flag_result(&self) -> Known {
        match self.flags {
            Flags::Difference(a, b) => a.minus(b),
            Flags::Result(result) | Flags::Logic(result) => Some(result),
            Flags::Fixed { result, .. } => Some(Value::constant(result)),
            Flags::Unknown => None,
        }
    }
}

/// The number of a 32-bit register; `None` for other registers.
fn register(register: Register) -> Option<usize> {
    register.is_gpr32().then(|| register.number())
}

fn operand_register(instruction: &Instruction, operand: u32) -> Option<usize> {
    let is_register =
        instruction.op_count() > operand && instruction.op_kind(operand) == OpKind::Register;
    is_register.then(|| register(instruction.op_register(operand))).flatten()
}
