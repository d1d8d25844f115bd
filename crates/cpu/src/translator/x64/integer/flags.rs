//! Where the arithmetic flags are, and who needs them.

use dynasmrt::{DynasmApi, dynasm};
use iced_x86::Mnemonic;

use crate::translator::regions::collect::{Block, Item};
use crate::translator::x64::encoding::offsets;
use crate::translator::x64::region::coverage;
use crate::translator::x64::region::emit::Emitter;
use crate::translator_frame::host_frame::NO_AUXILIARY;

/// Where the arithmetic flags are while a block is translated. `HostFrame::raw_flags` holds them
/// too wherever the code can be left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flags {
    Host,
    Memory,
}

/// What becomes of the flags that an instruction sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    /// The next to touch them sets them all, and nothing can look at them before.
    Dead,
    /// Somebody may look: they are saved.
    Live,
}

impl Emitter<'_> {
    /// Takes the flags from the core.
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

    /// CF alone, for an instruction that uses or keeps it.
    pub fn need_carry(&mut self) {
        if self.flags == Flags::Memory {
            dynasm!(self.asm ; .arch x64 ; bt WORD [BYTE rbp + offsets::near(offsets::RAW_FLAGS)], 8);
        }
    }

    /// The flags are in the host's now; puts them into the core too if somebody may look.
    /// `no_auxiliary`: AF is undefined here, 0 by choice.
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

/// RCL and RCR, of which the decoder says nothing for a whole turn: OF is made anew even then.
fn turns_carry(item: &Item) -> bool {
    matches!(item.shape().mnemonic, Mnemonic::Rcl | Mnemonic::Rcr)
}

/// What becomes of the flags that item `index` sets.
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
