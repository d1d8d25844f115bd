//! Names of functions by their addresses, in ring 3 and in ring 0, and of vectors.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

/// The largest number of different addresses without a function of a known name: a guest determines
/// the addresses that it calls.
const MOST_ADDRESSES: usize = 1 << 18;
const ELSEWHERE: &str = "elsewhere";

/// A name, by its number in [`Names`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Name(pub u32);

/// All names of a trace.
#[derive(Debug, Default)]
pub struct Names {
    /// The functions of ring 0 and of ring 3, by address: name and size in bytes. Size 0: the
    /// function reaches to the next one.
    code: [BTreeMap<u32, (Name, u32)>; 2],
    known: FxHashMap<(u32, bool), Name>,
    vectors: FxHashMap<u32, Name>,
    texts: Vec<String>,
    by_text: FxHashMap<String, Name>,
}

impl Names {
    /// Adds a function of ring 3 (`user`) or ring 0.
    pub fn add(&mut self, user: bool, address: u32, size: u32, text: &str) {
        let name = self.number(text);
        self.code[usize::from(user)].entry(address).or_insert((name, size));
    }

    /// Sets the name of the handler of a vector.
    pub fn add_vector(&mut self, vector: u32, text: &str) {
        let name = self.number(text);
        self.vectors.insert(vector, name);
    }

    /// The name with this text, which is new or was added before.
    pub fn number(&mut self, text: &str) -> Name {
        if let Some(&name) = self.by_text.get(text) {
            return name;
        }
        let name = Name(self.texts.len() as u32);
        self.texts.push(text.to_owned());
        self.by_text.insert(text.to_owned(), name);
        name
    }

    /// The name of the function that contains this address. Without one: the address in
    /// hexadecimal, or [`ELSEWHERE`] beyond [`MOST_ADDRESSES`] addresses.
    pub fn at(&mut self, user: bool, address: u32) -> Name {
        if let Some(&name) = self.known.get(&(address, user)) {
            return name;
        }
        let functions = &self.code[usize::from(user)];
        let found = functions.range(..=address).next_back();
        let name = match found {
            Some((from, (name, size))) if *size == 0 || address - from < *size => *name,
            _ if self.known.len() >= MOST_ADDRESSES => return self.number(ELSEWHERE),
            _ => self.number(&format!("{address:#010x}")),
        };
        self.known.insert((address, user), name);
        name
    }

    /// The name of the function that begins at this address.
    pub fn entry(&self, user: bool, address: u32) -> Option<Name> {
        self.code[usize::from(user)].get(&address).map(|(name, _)| *name)
    }

    pub fn vector(&mut self, vector: u32) -> Name {
        match self.vectors.get(&vector) {
            Some(&name) => name,
            None => self.number(&format!("vector {vector:#04x}")),
        }
    }

    pub fn text(&self, name: Name) -> &str {
        &self.texts[name.0 as usize]
    }
}
