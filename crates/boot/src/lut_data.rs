//! The LUT data of sccKit's merge tool, `lut_init.dat` (sccKit User's Guide): what the
//! management PC writes into the configuration registers before it releases the cores.
//!
//! Four hexadecimal numbers a line: the tile's route byte (y in bits 7:4, x in 3:0), the
//! sub-destination, which is that of the register block, the address there, and the value.

use rockcreek_defs::registers::lut::{lut0, lut1};
use rockcreek_defs::{Coord, SubDest};

use crate::text::{TextError, hexadecimal, lines, shown, words};

/// A value for one LUT entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LutWrite {
    pub router: Coord,
    /// Offset in the tile's register block.
    pub offset: u32,
    pub value: u32,
    pub line: usize,
}

/// Reads LUT data.
pub fn parse_lut_data(file: &[u8]) -> Result<Vec<LutWrite>, TextError> {
    let full = |line: &&[u8]| !line.is_empty() && !line.starts_with(b"#");
    lines(file).filter(|(_, line)| full(line)).map(|(number, line)| entry(number, line)).collect()
}

fn entry(number: usize, line: &[u8]) -> Result<LutWrite, TextError> {
    let fields = words(line).map(|word| hexadecimal(number, word));
    let fields = fields.collect::<Result<Vec<u32>, TextError>>()?;
    let [route, sub, address, value] = fields[..] else {
        let what = format!(
            "'{}' has {} numbers, not route, sub-destination, address, value",
            shown(line),
            fields.len()
        );
        return Err(TextError::new(number, what));
    };
    if route > 0xFF {
        return Err(TextError::new(number, format!("route {route:#x} is wider than 8 bits")));
    }
    if sub != SubDest::Crb as u32 {
        let what = format!("sub-destination {sub:#x} is not {}, the CRB", SubDest::Crb as u32);
        return Err(TextError::new(number, what));
    }
    let offset = address;
    let table = |start: u32, stride: u32, count: u32| {
        let at = offset.checked_sub(start);
        at.is_some_and(|at| at < stride * count && at.is_multiple_of(stride))
    };
    if !table(lut0::OFFSET, lut0::STRIDE, lut0::COUNT)
        && !table(lut1::OFFSET, lut1::STRIDE, lut1::COUNT)
    {
        return Err(TextError::new(number, format!("address {address:#x} is no LUT entry")));
    }
    if value & (!lut0::WRITABLE | lut0::SEGMENT_FINE) != 0 {
        let what = format!("value {value:#x} is wider than the 22 bits of a LUT entry");
        return Err(TextError::new(number, what));
    }
    let router = Coord { x: (route & 0xF) as u8, y: (route >> 4) as u8 };
    Ok(LutWrite { router, offset, value, line: number })
}
