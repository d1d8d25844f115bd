//! The shape of an instruction: the properties by which its handler and its clocks are selected.

use iced_x86::{Code, Instruction, Mnemonic, OpKind, Register};

/// Where the first two operands are: R register, M memory, I immediate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    None,
    R,
    M,
    I,
    RR,
    RI,
    RM,
    MR,
    MI,
    Other,
}

/// The kind of branch that ends a block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Branch {
    /// No branch, or one that the branch target buffer does not hold.
    #[default]
    None,
    /// JMP, CALL, RET.
    Always,
    /// Jcc, LOOP, JECXZ.
    Conditional,
}

/// The properties of an instruction by which its handler and its clocks are selected.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shape {
    pub mnemonic: Mnemonic,
    pub code: Code,
    pub form: Form,
    pub operands: u32,
    /// The size of the first operand in bytes; for a branch, the size in bytes of the offset that
    /// it jumps to.
    pub size: usize,
    pub second_size: usize,
    /// The operand size in bytes (2 or 4) that prefixes and code segment give; stack operations use
    /// it.
    pub default_size: usize,
    /// The number (0 to 15) of the condition of Jcc or SETcc; `None` for other instructions.
    pub condition: Option<u8>,
    pub is_branch: bool,
    pub far: bool,
    pub first_is_segment: bool,
    pub second_is_segment: bool,
    pub first_is_control: bool,
    pub second_is_control: bool,
    pub first_is_debug: bool,
    /// True if a control or debug register is an operand.
    pub special_register: bool,
    pub third_is_register: bool,
    pub immediate_first: bool,
    pub immediate_is_one: bool,
}

impl Shape {
    pub fn memory_first(&self) -> bool {
        matches!(self.form, Form::M | Form::MR | Form::MI)
    }

    pub fn uses_memory(&self) -> bool {
        self.memory_first() || self.form == Form::RM
    }

    pub fn stack_size(&self) -> usize {
        self.default_size
    }
}

/// The shape of a decoded instruction. `big`: true for 32-bit code, false for 16-bit code.
pub(crate) fn shape(instruction: &Instruction, big: bool) -> Shape {
    let operands = instruction.op_count();
    let kind = |i: u32| (i < operands).then(|| operand_kind(instruction.op_kind(i)));
    let register = |i: u32| {
        let named = i < operands && instruction.op_kind(i) == OpKind::Register;
        if named { instruction.op_register(i) } else { Register::None }
    };
    let (first, second) = (register(0), register(1));
    let encoded = instruction.code().op_code().operand_size() as usize / 8;
    let default_size = if encoded > 0 {
        encoded
    } else if big {
        4
    } else {
        2
    };
    let is_branch = (0..operands).any(|i| branch_size(instruction.op_kind(i)).is_some());
    let far_memory = matches!(
        instruction.code(),
        Code::Jmp_m1616 | Code::Jmp_m1632 | Code::Call_m1616 | Code::Call_m1632
    );
    let far_direct =
        operands > 0 && matches!(instruction.op_kind(0), OpKind::FarBranch16 | OpKind::FarBranch32);
    let far = far_memory || far_direct;
    let first_is_control = first.is_cr();
    let second_is_control = second.is_cr();
    Shape {
        mnemonic: instruction.mnemonic(),
        code: instruction.code(),
        form: form(kind(0), kind(1)),
        operands,
        size: if far { default_size } else { operand_size(instruction, 0, default_size) },
        second_size: operand_size(instruction, 1, default_size),
        default_size,
        condition: condition(instruction.mnemonic()),
        is_branch,
        far,
        first_is_segment: first.is_segment_register(),
        second_is_segment: second.is_segment_register(),
        first_is_control,
        second_is_control,
        first_is_debug: first.is_dr(),
        special_register: first_is_control
            || second_is_control
            || [first, second].iter().any(|r| r.is_dr() || r.is_tr()),
        third_is_register: register(2) != Register::None,
        immediate_first: kind(0) == Some(Kind::Immediate),
        immediate_is_one: (0..operands)
            .any(|i| kind(i) == Some(Kind::Immediate) && instruction.immediate(i) == 1),
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Register,
    Memory,
    Immediate,
    Other,
}

fn operand_kind(kind: OpKind) -> Kind {
    match kind {
        OpKind::Register => Kind::Register,
        OpKind::Memory => Kind::Memory,
        OpKind::Immediate8
        | OpKind::Immediate8_2nd
        | OpKind::Immediate16
        | OpKind::Immediate32
        | OpKind::Immediate8to16
        | OpKind::Immediate8to32 => Kind::Immediate,
        _ => Kind::Other,
    }
}

/// True if the operand is an immediate of an ordinary instruction (not a branch's target).
pub(crate) fn is_immediate(kind: OpKind) -> bool {
    operand_kind(kind) == Kind::Immediate
}

fn form(first: Option<Kind>, second: Option<Kind>) -> Form {
    match (first, second) {
        (None, _) => Form::None,
        (Some(Kind::Register), None) => Form::R,
        (Some(Kind::Memory), None) => Form::M,
        (Some(Kind::Immediate), None) => Form::I,
        (Some(Kind::Register), Some(Kind::Register)) => Form::RR,
        (Some(Kind::Register), Some(Kind::Immediate)) => Form::RI,
        (Some(Kind::Register), Some(Kind::Memory)) => Form::RM,
        (Some(Kind::Memory), Some(Kind::Register)) => Form::MR,
        (Some(Kind::Memory), Some(Kind::Immediate)) => Form::MI,
        _ => Form::Other,
    }
}

fn branch_size(kind: OpKind) -> Option<usize> {
    match kind {
        OpKind::NearBranch16 => Some(2),
        OpKind::NearBranch32 => Some(4),
        _ => None,
    }
}

fn operand_size(instruction: &Instruction, i: u32, default_size: usize) -> usize {
    if i >= instruction.op_count() {
        return default_size;
    }
    let kind = instruction.op_kind(i);
    match kind {
        OpKind::Register => instruction.op_register(i).size(),
        OpKind::Memory
        | OpKind::MemoryESDI
        | OpKind::MemoryESEDI
        | OpKind::MemorySegSI
        | OpKind::MemorySegESI => instruction.memory_size().size(),
        _ => branch_size(kind).unwrap_or(default_size),
    }
}

/// The number (0 to 15) of the condition in Jcc and SETcc; `None` for other instructions.
fn condition(mnemonic: Mnemonic) -> Option<u8> {
    use Mnemonic::{Ja, Jae, Jb, Jbe, Je, Jg, Jge, Jl, Jle, Jne, Jno, Jnp, Jns, Jo, Jp, Js};
    use Mnemonic::{Seta, Setae, Setb, Setbe, Sete, Setg, Setge, Setl, Setle, Setne};
    use Mnemonic::{Setno, Setnp, Setns, Seto, Setp, Sets};
    const JUMPS: [Mnemonic; 16] =
        [Jo, Jno, Jb, Jae, Je, Jne, Jbe, Ja, Js, Jns, Jp, Jnp, Jl, Jge, Jle, Jg];
    const SETS: [Mnemonic; 16] = [
        Seto, Setno, Setb, Setae, Sete, Setne, Setbe, Seta, Sets, Setns, Setp, Setnp, Setl, Setge,
        Setle, Setg,
    ];
    let find = |list: &[Mnemonic; 16]| list.iter().position(|&m| m == mnemonic);
    find(&JUMPS).or_else(|| find(&SETS)).map(|number| number as u8)
}
