//! Pages that are not what they were, since somebody has last looked.

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Displaced {
    #[default]
    None,
    One(u32),
    Two(u32, u32),
    All,
}

impl Displaced {
    pub(crate) fn add(&mut self, page: u32) {
        *self = match *self {
            Displaced::None => Displaced::One(page),
            Displaced::One(first) if first == page => Displaced::One(page),
            Displaced::One(first) => Displaced::Two(first, page),
            _ => Displaced::All,
        };
    }

    /// The pages, unless there are too many.
    pub fn pages(self) -> Option<[Option<u32>; 2]> {
        match self {
            Displaced::None => Some([None; 2]),
            Displaced::One(page) => Some([Some(page), None]),
            Displaced::Two(first, second) => Some([Some(first), Some(second)]),
            Displaced::All => None,
        }
    }
}
