//! The place of the arithmetic flags, and their next readers.

use dynasmrt::{DynasmApi, dynasm};
use iced_x86::Mnemonic;

use crate::translator::regions::collect::{Block, Item};
use crate::translator::x64::encoding::offsets;
use crate::translator::x64::region::coverage;
use crate::translator::x64::region::emit::Emitter;
use crate::translator_frame::host_frame::NO_AUXILIARY;

/// The place of the arithmetic flags while a block is translated. Wherever the code can be left,
/// `HostFrame::raw_flags` holds them too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flags {
    Host,
    Memory,
}

/// The use of the flags that an instruction sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    /// The next instruction that uses flags sets all of them, and nothing can read them before.
    Dead,
    /// The flags may be read, so they are saved.
    Live,
}

impl Emitter<'_> {
    /// Loads the flags from the core.
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

    /// Loads CF alone, for an instruction that uses or keeps it.
    pub fn need_carry(&mut self) {
        if self.flags == Flags::Memory {
            dynasm!(self.asm ; .arch x64 ; bt WORD [BYTE rbp + offsets::near(offsets::RAW_FLAGS)], 8);
        }
    }

    /// Records that the flags are in the host's; saves them to the core too if they may be read.
    /// `no_auxiliary`: AF is undefined here, and 0 by choice.
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

/// The six flags of arithmetic, as the decoder names them.
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

/// True for RCL and RCR, for which the decoder reports no flags after a whole turn, although OF is
/// set even then.
fn turns_carry(item: &Item) -> bool {
    matches!(item.shape().mnemonic, Mnemonic::Rcl | Mnemonic::Rcr)
}

/// The use of the flags that item `index` sets.
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
