//! The code of a block, without the state for which it is translated.

use rockcreek_defs::LINE_BYTES;

use super::collect::Source;
use crate::frontend::decode::{Decoding, decode_shape};
use crate::state::fetched_lines::VersionId;
use crate::timing::pairing::Pipe;

const LINE: u32 = LINE_BYTES as u32;

/// The decoded code of a block, and the versions of its line and, if its one instruction spans two
/// lines, of the next.
pub(super) struct Code {
    pub version: VersionId,
    pub next_version: Option<VersionId>,
    pub decodings: Vec<Decoding>,
}

impl Code {
    pub fn pipes(&self) -> Vec<Pipe> {
        self.decodings.iter().map(|decoding| decoding.pipe).collect()
    }
}

impl Source<'_> {
    /// The number of the state for which the block at `eip` is translated if it is reached with state
    /// `reached`; `None` if its code has not been fetched.
    pub fn simplified(&mut self, eip: u32, reached: u32) -> Option<u32> {
        let segments_end = self.carries.get(reached).segments_end;
        let code = self.code_at(eip, segments_end)?;
        Some(self.carries.simplified(reached, &code.pipes()))
    }

    /// The code of the block at `eip`; `None` if it has not been fetched, or lies behind the end of
    /// the segments.
    pub(super) fn code_at(&self, eip: u32, segments_end: u32) -> Option<Code> {
        if eip > segments_end {
            return None;
        }
        let version = self.fetched.version(eip, self.user)?;
        let line = self.code.decoded.bytes(version);
        let mut decodings = decode_line(&line[(eip % LINE) as usize..]);
        let mut next_version = None;
        if decodings.is_empty() {
            let next_line = (eip | (LINE - 1)).wrapping_add(1);
            if next_line > segments_end {
                return None;
            }
            let next = self.fetched.version(next_line, self.user)?;
            let mut bytes = [0; 2 * LINE_BYTES];
            bytes[..LINE_BYTES].copy_from_slice(line);
            bytes[LINE_BYTES..].copy_from_slice(self.code.decoded.bytes(next));
            decodings.push(decode_shape(&bytes[(eip % LINE) as usize..], true)?);
            next_version = Some(next);
        }
        Some(Code { version, next_version, decodings })
    }
}

/// Decodes the instructions that lie in `bytes` (the rest of a line), up to the end of the block.
fn decode_line(mut bytes: &[u8]) -> Vec<Decoding> {
    let mut found: Vec<Decoding> = Vec::new();
    while !bytes.is_empty()
        && let Some(decoding) = decode_shape(bytes, true)
    {
        if decoding.begins_block && !found.is_empty() {
            break;
        }
        bytes = &bytes[usize::from(decoding.op.length)..];
        let ends = decoding.ends_block;
        found.push(decoding);
        if ends {
            break;
        }
    }
    found
}
