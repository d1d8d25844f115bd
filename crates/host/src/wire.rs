//! Numbers and strings as 9P writes them: little-endian, strings with a 16-bit length.

use crate::errno::{EINVAL, Errno};

/// Reads a message from front to back.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reader<'a> {
    bytes: &'a [u8],
}

impl<'a> Reader<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Reader<'a> {
        Reader { bytes }
    }

    pub(crate) fn bytes(&mut self, count: usize) -> Result<&'a [u8], Errno> {
        let (bytes, rest) = self.bytes.split_at_checked(count).ok_or(EINVAL)?;
        self.bytes = rest;
        Ok(bytes)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], Errno> {
        let (bytes, rest) = self.bytes.split_first_chunk().ok_or(EINVAL)?;
        self.bytes = rest;
        Ok(*bytes)
    }

    pub(crate) fn u8(&mut self) -> Result<u8, Errno> {
        self.array().map(u8::from_le_bytes)
    }

    pub(crate) fn u16(&mut self) -> Result<u16, Errno> {
        self.array().map(u16::from_le_bytes)
    }

    pub(crate) fn u32(&mut self) -> Result<u32, Errno> {
        self.array().map(u32::from_le_bytes)
    }

    pub(crate) fn u64(&mut self) -> Result<u64, Errno> {
        self.array().map(u64::from_le_bytes)
    }

    pub(crate) fn string(&mut self) -> Result<&'a [u8], Errno> {
        let length = self.u16()?;
        self.bytes(usize::from(length))
    }
}

/// Builds a message. The length is filled in by [`Writer::finish`].
#[derive(Clone, Debug)]
pub(crate) struct Writer {
    bytes: Vec<u8>,
}

/// Bytes of a message before its body: size, type, tag.
pub(crate) const HEADER_BYTES: usize = 7;

impl Writer {
    pub(crate) fn new(kind: u8, tag: u16) -> Writer {
        let mut bytes = vec![0, 0, 0, 0, kind];
        bytes.extend(tag.to_le_bytes());
        Writer { bytes }
    }

    pub(crate) fn bytes(&mut self, bytes: &[u8]) -> &mut Writer {
        self.bytes.extend(bytes);
        self
    }

    pub(crate) fn u8(&mut self, value: u8) -> &mut Writer {
        self.bytes(&[value])
    }

    pub(crate) fn u16(&mut self, value: u16) -> &mut Writer {
        self.bytes(&value.to_le_bytes())
    }

    pub(crate) fn u32(&mut self, value: u32) -> &mut Writer {
        self.bytes(&value.to_le_bytes())
    }

    pub(crate) fn u64(&mut self, value: u64) -> &mut Writer {
        self.bytes(&value.to_le_bytes())
    }

    /// A string; what does not fit 16 bits of length is cut off (names are shorter).
    pub(crate) fn string(&mut self, string: &[u8]) -> &mut Writer {
        let length = string.len().min(usize::from(u16::MAX));
        self.u16(length as u16).bytes(&string[..length])
    }

    pub(crate) fn finish(mut self) -> Vec<u8> {
        let length = self.bytes.len() as u32;
        self.bytes[..4].copy_from_slice(&length.to_le_bytes());
        self.bytes
    }
}
