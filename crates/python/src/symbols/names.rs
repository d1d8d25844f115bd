//! Names of C++ functions, as their sources have them.

use std::fmt;

use cpp_demangle::{DemangleOptions, DemangleWrite, Symbol};

/// The longest name that is worth reading, in bytes: a template's can be many thousand.
const LONGEST: usize = 512;
/// What the C++ library calls its string.
const STRING: &str = "std::basic_string<char, std::char_traits<char>, std::allocator<char> >";

/// A name that is being written, of at most `LONGEST` bytes: the parts of a name may refer to one
/// another, so that a few hundred bytes stand for gigabytes.
#[derive(Default)]
struct Bounded(String);

impl DemangleWrite for Bounded {
    fn write_string(&mut self, part: &str) -> fmt::Result {
        if self.0.len() + part.len() > LONGEST {
            return Err(fmt::Error);
        }
        self.0.push_str(part);
        Ok(())
    }
}

/// A function's name as its source has it: of C++ with the types of its parameters, and without the
/// library's inner name spaces; any other name as it is.
pub fn demangled(name: &str) -> String {
    let options = DemangleOptions::new().no_return_type();
    let symbol = name.starts_with("_Z").then(|| Symbol::new(name.as_bytes()).ok()).flatten();
    let mut shown = Bounded::default();
    match symbol.map(|symbol| symbol.structured_demangle(&mut shown, &options)) {
        Some(Ok(())) => {
            without_tags(&shown.0).replace("std::__1::", "std::").replace(STRING, "std::string")
        }
        _ => name.to_owned(),
    }
}

/// Without the marks of versions that the C++ library gives its functions: `at[abi:ne180100]`.
fn without_tags(name: &str) -> String {
    let mut parts = name.split("[abi:");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |name, part| name + part.split_once(']').map_or(part, |(_, rest)| rest))
}
