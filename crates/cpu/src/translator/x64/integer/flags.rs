//! Where the arithmetic flags are held, and which instructions read them next.

use dynasmrt::{DynasmApi, dynasm};
use iced_x86::Mnemonic;

use crate::translator::regions::collect::{Block, Item};
use crate::translator::x64::encoding::offsets;
use crate::translator::x64::region::coverage;
use crate::translator::x64::region::emit::Emitter;
use crate::translator_frame::host_frame::NO_AUXILIARY;

/// Where the guest's arithmetic flags are at a point of a block: in the host's flags, or in
/// `HostFrame::raw_flags`. Wherever translated code can be left, `raw_flags` holds them in either
/// case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flags {
    Host,
    Memory,
}

/// Whether the flags that an instruction sets are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    /// The flags are not used: the next instruction that uses flags sets all of them, and nothing
    /// can read them before.
    Dead,
    /// The flags may be read, so they must be saved.
    Live,
}

impl Emitter<'_> {
    /// Emits the load of the host's flags from the host frame. Clobbers EAX.
    pub fn load_flags(&mut self) {
        dynasm!(self.asm ; .arch x64
            ; movzx eax, WORD [BYTE rbp + offsets::near(offsets::RAW_FLAGS)]
            ; add al, 0x7F
            ; sahf
        );
    }

    pub fn need_flags(&mut self) {
        if self.flags == Flags::Memory {
            self.load_flags();
            self.flags = Flags::Host;
        }
    }

    /// Emits the load of CF alone, for an instruction that uses or keeps CF.
    pub fn need_carry(&mut self) {
        if self.flags == Flags::Memory {
            dynasm!(self.asm ; .arch x64 ; bt WORD [BYTE rbp + offsets::near(offsets::RAW_FLAGS)], 8);
        }
    }

    /// Records that the host's flags are now the guest's; if `fate` is `Live`, also emits their
    /// save to the host frame, which clobbers EAX. `no_auxiliary`: true if AF is undefined here and
    /// 0 by choice.
    pub fn set_flags(&mut self, fate: Fate, no_auxiliary: bool) {
        self.flags = Flags::Host;
        if fate == Fate::Live {
            dynasm!(self.asm ; .arch x64 ; lahf ; seto al);
            if no_auxiliary {
                dynasm!(self.asm ; .arch x64 ; lea eax, [rax + NO_AUXILIARY as i32]);
            }
            dynasm!(self.asm ; .arch x64 ; mov [BYTE rbp + offsets::near(offsets::RAW_FLAGS)], ax);
        }
    }
}

/// The six arithmetic flags, in iced-x86's encoding.
const ARITHMETIC: u32 = iced_x86::RflagsBits::OF
    | iced_x86::RflagsBits::SF
    | iced_x86::RflagsBits::ZF
    | iced_x86::RflagsBits::AF
    | iced_x86::RflagsBits::CF
    | iced_x86::RflagsBits::PF;

pub(crate) fn reads_flags(item: &Item) -> bool {
    turns_carry(item) || item.decoding.instruction.rflags_read() & ARITHMETIC != 0
}

pub(crate) fn sets_flags(item: &Item) -> bool {
    turns_carry(item) || item.decoding.instruction.rflags_modified() & ARITHMETIC != 0
}

/// True for RCL and RCR. iced-x86 reports no changed flags for them after a full rotation, although
/// OF is set even then.
fn turns_carry(item: &Item) -> bool {
    matches!(item.shape().mnemonic, Mnemonic::Rcl | Mnemonic::Rcr)
}

/// Whether the flags that the block's item number `index` sets may be used afterwards.
pub(crate) fn fate(block: &Block, index: usize) -> Fate {
    for item in &block.items[index + 1..] {
        if !coverage::is_private(item) || reads_flags(item) || coverage::keeps_flags(item) {
            return Fate::Live;
        }
        let set = item.decoding.instruction.rflags_modified() & ARITHMETIC;
        if set == ARITHMETIC {
            return Fate::Dead;
        }
        if set != 0 {
            return Fate::Live;
        }
    }
    Fate::Live
}
