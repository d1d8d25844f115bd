//! The memory images of sccKit's merge tool, `.32.obj` (sccKit User's Guide): one text for each
//! memory controller, loaded at the controller's own addresses.
//!
//! `/origin` and a hexadecimal number begin a piece at that address, counted in 32-bit words;
//! lines of up to four 32-bit words in hexadecimal follow at ascending addresses; `/eof` ends
//! the file.

use crate::text::{TextError, hexadecimal, lines, shown, words};

/// Bytes of an addressed word.
const WORD_BYTES: u64 = 4;
const WORDS_PER_LINE: usize = 4;

/// Consecutive bytes of a controller's memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Where it begins, in bytes.
    pub address: u64,
    pub bytes: Vec<u8>,
    /// The line of its `/origin`.
    pub line: usize,
}

impl Piece {
    pub fn end(&self) -> u64 {
        self.address + self.bytes.len() as u64
    }
}

/// Reads a memory image.
pub fn parse_memory_object(file: &[u8]) -> Result<Vec<Piece>, TextError> {
    let mut pieces: Vec<Piece> = Vec::new();
    let mut ended = false;
    let mut last = 1;
    for (number, line) in lines(file).filter(|(_, line)| !line.is_empty()) {
        last = number;
        if ended {
            return Err(TextError::new(number, "text behind /eof"));
        }
        let mut parts = words(line);
        match parts.clone().next() {
            Some(b"/origin") => {
                let origin = (parts.nth(1), parts.next());
                let (Some(address), None) = origin else {
                    return Err(TextError::new(number, "/origin needs one address"));
                };
                let address = u64::from(hexadecimal(number, address)?) * WORD_BYTES;
                pieces.push(Piece { address, bytes: Vec::new(), line: number });
            }
            Some(b"/eof") if parts.nth(1).is_none() => ended = true,
            Some(word) if word.starts_with(b"/") => {
                let what = format!("'{}' is neither /origin nor /eof", shown(line));
                return Err(TextError::new(number, what));
            }
            _ => data_line(number, line, pieces.last_mut())?,
        }
    }
    if !ended {
        return Err(TextError::new(last, "the file ends without /eof: it is cut short"));
    }
    Ok(pieces)
}

fn data_line(number: usize, line: &[u8], piece: Option<&mut Piece>) -> Result<(), TextError> {
    let Some(piece) = piece else {
        return Err(TextError::new(number, "data before the first /origin"));
    };
    let count = words(line).count();
    if count > WORDS_PER_LINE {
        let what = format!("{count} words; a line has at most {WORDS_PER_LINE}");
        return Err(TextError::new(number, what));
    }
    for word in words(line) {
        piece.bytes.extend(hexadecimal(number, word)?.to_le_bytes());
    }
    Ok(())
}
