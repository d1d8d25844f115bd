//! Lists the pages whose translation has changed since the last check: none, one, two, or (`All`)
//! more, or not known.

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

    /// The changed pages, up to two; `None` if more than two have changed, or it is not known
    /// which.
    pub fn pages(self) -> Option<[Option<u32>; 2]> {
        match self {
            Displaced::None => Some([None; 2]),
            Displaced::One(page) => Some([Some(page), None]),
            Displaced::Two(first, second) => Some([Some(first), Some(second)]),
            Displaced::All => None,
        }
    }
}
