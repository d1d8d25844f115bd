//! gdb's `monitor` commands: what of the chip no address of gdb's shows.
//!
//! Here are the commands and their arguments; what they print is in `monitor_views`.

use rockcreek_defs::CoreId;

use crate::gdb_target::{CHANGES_NO_PAST, ChipTarget, Machine};
use crate::monitor_views as views;

const HELP: &str = "\
monitor mpb CORE [OFFSET [LENGTH]]  bytes of the message-passing buffer of the core's tile
monitor lut CORE [ENTRY]            the core's lookup table: entries that are not zero, or one
monitor mesh                        packets by hops, links that carried any, where cores are
monitor cache CORE [ADDRESS]        what the core's caches hold, of all or of one line
monitor tlb CORE [ADDRESS]          what its TLBs hold, of all or of one page
monitor regs CORE                   its mode, segments, control and debug registers, EIP as it is
monitor code CORE [COUNT [ADDRESS]] instructions as the core decodes them now, 16 or 32 bits
monitor time                        the simulated time
monitor release CORE                takes a core out of reset, now
monitor stop-at-end                 stops where a core fails, and before the run ends, so that
                                    reverse-continue and reverse-step can go back from there
monitor past                        from when to when gdb can go back, and where it is
monitor help                        this

Numbers are decimal or 0x...; core n is gdb's thread n + 1. Addresses of gdb are linear: $pc is
the base of CS plus EIP, a breakpoint or watchpoint is the same in every mode. Where a segment
does not begin at 0, its base is in $cs_base, $ss_base, ...: `x/8xh $ss_base + ($esp & 0xffff)` shows
a stack of real mode, and `monitor code` its code: gdb's own x/i takes all code for 32 bits. Control
and segment registers can be read only. ADDRESS of `cache` is the core's physical address; the
others are linear.
";

/// A command's numbers, and how many it may have.
struct Arguments {
    numbers: Vec<u64>,
    most: usize,
}

/// The text that a command gives.
pub fn answer(target: &mut ChipTarget, command: &str) -> String {
    let mut words = command.split_whitespace();
    let name = words.next().unwrap_or("help");
    let most = match name {
        "mpb" | "code" => 3,
        "lut" | "cache" | "tlb" => 2,
        "regs" | "release" => 1,
        _ => 0,
    };
    let mut numbers = Vec::new();
    for word in words {
        match number(word) {
            Some(value) => numbers.push(value),
            None => return format!("'{word}' is not a number\n\n{HELP}"),
        }
    }
    let arguments = Arguments { numbers, most };
    arguments.run(target, name).unwrap_or_else(|problem| format!("{problem}\n\n{HELP}"))
}

fn number(word: &str) -> Option<u64> {
    match word.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => word.parse().ok(),
    }
}

impl Arguments {
    fn run(&self, target: &mut ChipTarget, name: &str) -> Result<String, String> {
        if self.numbers.len() > self.most {
            return Err(format!("monitor {name}: more arguments than it takes"));
        }
        match name {
            "release" => {
                let core = self.core(target.chip(), name)?;
                if !target.may_change() {
                    return Err(CHANGES_NO_PAST.into());
                }
                target.chip().release(core);
                Ok(format!("core {} is released\n", core.0))
            }
            "stop-at-end" => {
                target.stop_at_end = true;
                Ok("gdb stops where a core fails, and once more before the run ends\n".into())
            }
            "past" => Ok(target.describe_past()),
            _ => self.view(target.chip(), name),
        }
    }

    fn view(&self, chip: &Machine, name: &str) -> Result<String, String> {
        let core = || self.core(chip, name);
        Ok(match name {
            "mpb" => views::mpb(chip, core()?, self.number(1), self.number(2)),
            "lut" => views::lut(chip, core()?, self.number(1)),
            "cache" => views::cache(chip, core()?, self.address(1)?),
            "tlb" => views::tlb(chip, core()?, self.address(1)?),
            "regs" => views::registers(chip, core()?),
            "code" => views::code(chip, core()?, self.number(1), self.address(2)?),
            "mesh" => views::mesh(chip),
            "time" => format!("{} ps\n", chip.now().0),
            "help" => HELP.into(),
            _ => return Err(format!("there is no command monitor {name}")),
        })
    }

    fn number(&self, n: usize) -> Option<u64> {
        self.numbers.get(n).copied()
    }

    fn address(&self, n: usize) -> Result<Option<u32>, String> {
        let fits = |value| u32::try_from(value).map_err(|_| format!("{value:#x} is no address"));
        self.number(n).map(fits).transpose()
    }

    fn core(&self, chip: &Machine, name: &str) -> Result<CoreId, String> {
        let cores = chip.slots().len() as u64;
        match self.number(0) {
            Some(core) if core < cores => Ok(CoreId(core as u16)),
            Some(core) => Err(format!("there is no core {core}: cores are 0 to {}", cores - 1)),
            None => Err(format!("monitor {name}: which core?")),
        }
    }
}
