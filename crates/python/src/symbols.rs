//! Addresses of a guest program in words: function, file, line, instruction.

use std::fmt;

use addr2line::gimli::{Dwarf, EndianSlice, LittleEndian, SectionId};
use addr2line::{Context, Location};
use cpp_demangle::{DemangleOptions, DemangleWrite, Symbol};
use iced_x86::{Decoder, DecoderOptions, Formatter, IntelFormatter};
use object::{Object, ObjectSection, ObjectSymbol, SymbolKind};
use pyo3::prelude::*;

use crate::guard::guarded;

type Slice<'a> = EndianSlice<'a, LittleEndian>;
/// Function, file and line, as far as they are known.
type Place = (Option<String>, Option<String>, Option<u32>);

/// Bytes of code of no line that a compiler puts in: a call that never returns, an epilogue.
const OF_NO_LINE: u64 = 64;
/// The longest name that is worth reading, in bytes: a template's can be many thousand.
const LONGEST: usize = 512;
/// What the C++ library calls its string.
const STRING: &str = "std::basic_string<char, std::char_traits<char>, std::allocator<char> >";

/// For each address: function, source file and line, if the ELF file names them.
#[pyfunction]
pub fn symbolize(elf: &[u8], addresses: Vec<u32>) -> PyResult<Vec<Place>> {
    guarded(|| {
        let Ok(file) = object::File::parse(elf) else {
            return Ok(vec![(None, None, None); addresses.len()]);
        };
        let context = lines(&file);
        Ok(addresses.into_iter().map(|address| place(&file, context.as_ref(), address)).collect())
    })
}

fn lines<'a>(file: &object::File<'a>) -> Option<Context<Slice<'a>>> {
    let section = |id: SectionId| -> Result<Slice<'a>, addr2line::gimli::Error> {
        let data = file.section_by_name(id.name()).and_then(|section| section.data().ok());
        Ok(EndianSlice::new(data.unwrap_or(&[]), LittleEndian))
    };
    let dwarf = Dwarf::load(section).ok()?;
    Context::from_dwarf(dwarf).ok()
}

fn place(file: &object::File, context: Option<&Context<Slice>>, address: u32) -> Place {
    let address = u64::from(address);
    let location = context.and_then(|context| located(context, address));
    let (path, line) = match location {
        Some(location) => (location.file.map(str::to_owned), location.line),
        None => (None, None),
    };
    (function(file, address), path, line)
}

/// The file and line of an address; where the compiler has put in code of no line, those of the code
/// before it.
fn located<'a>(context: &'a Context<Slice<'_>>, address: u64) -> Option<Location<'a>> {
    let find = |address| context.find_location(address).ok().flatten();
    let before = || (1..OF_NO_LINE).filter_map(|back| find(address.checked_sub(back)?));
    let here = find(address)?;
    if here.line.is_some() {
        return Some(here);
    }
    before().find(|location| location.line.is_some() && location.file == here.file).or(Some(here))
}

/// The function whose range holds the address; one without a size ends where the next begins.
fn function(file: &object::File, address: u64) -> Option<String> {
    let before = file
        .symbols()
        .filter(|symbol| symbol.kind() == SymbolKind::Text && symbol.address() <= address)
        .filter(|symbol| symbol.is_definition())
        .max_by_key(|symbol| (symbol.address(), symbol.size()))?;
    let inside = before.size() == 0 || address < before.address() + before.size();
    inside.then(|| before.name().ok().map(demangled)).flatten()
}

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
pub(crate) fn demangled(name: &str) -> String {
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

/// Names as their sources have them.
#[pyfunction]
pub fn demangle(names: Vec<String>) -> PyResult<Vec<String>> {
    guarded(|| Ok(names.iter().map(|name| demangled(name)).collect()))
}

/// The places of addresses with the functions that were inlined there, innermost first.
#[pyfunction]
pub fn symbolize_inlined(elf: &[u8], addresses: Vec<u32>) -> PyResult<Vec<Vec<Place>>> {
    guarded(|| {
        let Ok(file) = object::File::parse(elf) else {
            return Ok(vec![Vec::new(); addresses.len()]);
        };
        let context = lines(&file);
        let chain = |address: u32| match inlined(context.as_ref(), address) {
            places if !places.is_empty() => places,
            _ => vec![place(&file, context.as_ref(), address)],
        };
        Ok(addresses.into_iter().map(chain).collect())
    })
}

fn inlined(context: Option<&Context<Slice>>, address: u32) -> Vec<Place> {
    let mut places = Vec::new();
    let found = context.map(|context| context.find_frames(address.into()).skip_all_loads());
    let Some(Ok(mut frames)) = found else { return places };
    while let Ok(Some(frame)) = frames.next() {
        let name = frame
            .function
            .and_then(|function| function.raw_name().ok().map(|name| demangled(&name)));
        let (file, line) = match frame.location {
            Some(location) => (location.file.map(str::to_owned), location.line),
            None => (None, None),
        };
        places.push((name, file, line));
    }
    places.retain(|(name, _, _)| name.is_some());
    places
}

/// For each address the source file, of a function that was put in place that of its caller while
/// it belongs to Rust's own library.
#[pyfunction]
pub fn source_files(elf: &[u8], addresses: Vec<u64>) -> PyResult<Vec<Option<String>>> {
    guarded(|| {
        let file = object::File::parse(elf).ok();
        let context = file.as_ref().and_then(lines);
        let name = |address: u64| {
            let mut frames = context.as_ref()?.find_frames(address).skip_all_loads().ok()?;
            let mut name = None;
            while let Ok(Some(frame)) = frames.next() {
                name = frame.location.and_then(|place| place.file).map(str::to_owned);
                let of_rust = |name: &String| {
                    ["/library/", "/rust/deps/"].iter().any(|part| name.contains(part))
                };
                if !name.as_ref().is_some_and(of_rust) {
                    break;
                }
            }
            name
        };
        Ok(addresses.into_iter().map(name).collect())
    })
}

/// The instruction at the start of `code`, in Intel syntax; instructions that the cores do not
/// have are named too.
#[pyfunction]
pub fn disassemble(code: &[u8], address: u32) -> PyResult<String> {
    guarded(|| {
        let options = DecoderOptions::CL1INVMB;
        let mut decoder = Decoder::with_ip(32, code, address.into(), options);
        let mut text = String::new();
        IntelFormatter::new().format(&decoder.decode(), &mut text);
        Ok(text)
    })
}
