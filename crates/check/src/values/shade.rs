//! What is known of a value besides its bits: which of them come from memory that was never
//! written, and which block of memory it points into.

/// Where a value comes from: [`NONE`], [`MIXED`], or the number of an origin. Of a value with
/// unwritten bits it is the memory that had them first, of any other value the block that it points
/// into.
pub(super) type Tag = u32;

/// The value is no pointer, as far as is known.
pub(super) const NONE: Tag = 0;
/// The value was computed from pointers, and what it points into is not known.
pub(super) const MIXED: Tag = 1;
/// The first number of an origin.
pub(super) const FIRST: Tag = 2;

/// A pointer plus more than this is taken for a pointer into something else, in bytes.
const FARTHEST: u32 = 1 << 24;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Shade {
    /// A one for each bit that was never written, or depends on one that was not.
    pub bits: u32,
    pub tag: Tag,
}

/// A value of which at least the shade is known.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known {
    pub shade: Shade,
    pub value: Option<u32>,
}

impl Shade {
    pub const WRITTEN: Shade = Shade { bits: 0, tag: NONE };

    /// The block that the value points into.
    pub fn pointer(self) -> Tag {
        if self.bits == 0 { self.tag } else { MIXED }
    }

    fn origin(self) -> Tag {
        if self.bits == 0 { NONE } else { self.tag }
    }

    pub fn is_unwritten(self) -> bool {
        self.bits != 0
    }

    /// The shade of `bits` unwritten bits that were computed from two values, and of a pointer into
    /// `pointer`, if all bits are written.
    pub fn from(bits: u32, one: Shade, other: Shade, pointer: Tag) -> Shade {
        if bits == 0 {
            return Shade { bits, tag: pointer };
        }
        let tag = if one.is_unwritten() { one.origin() } else { other.origin() };
        Shade { bits, tag }
    }

    /// The shade of a value computed from two others in a way that keeps no pointer.
    pub fn mixed(bits: u32, one: Shade, other: Shade) -> Shade {
        let has_pointer = one.tag != NONE || other.tag != NONE;
        Shade::from(bits, one, other, if has_pointer { MIXED } else { NONE })
    }

    /// The part of `size` bytes that begins at bit `shift`.
    pub fn part(self, shift: u8, size: u8) -> Shade {
        if size == 4 {
            return self;
        }
        Shade::mixed(self.bits >> shift & mask(size), self, Shade::WRITTEN)
    }

    /// The value with such a part replaced.
    pub fn with_part(self, shift: u8, size: u8, part: Shade) -> Shade {
        if size == 4 {
            return part;
        }
        let hole = mask(size) << shift;
        let bits = self.bits & !hole | (part.bits << shift) & hole;
        Shade::mixed(bits, part, self)
    }
}

/// The bits of a value of `size` bytes.
pub(super) fn mask(size: u8) -> u32 {
    if size >= 4 { u32::MAX } else { (1 << (8 * size)) - 1 }
}

/// All bits from the lowest that is set on: a carry takes what is unknown to higher bits.
pub(super) fn smear(bits: u32) -> u32 {
    if bits == 0 { 0 } else { u32::MAX << bits.trailing_zeros() }
}

/// What the sum of a pointer and of an offset, one of the two values, points into. `offset`: what
/// was added to the value that has the tag.
pub(super) fn moved(tag: Tag, offset: u32) -> Tag {
    let is_near = offset.wrapping_add(FARTHEST) < 2 * FARTHEST;
    if tag == NONE || is_near { tag } else { MIXED }
}
