//! What the text formats of sccKit's tools have in common: lines of hexadecimal words.

/// A text file that cannot be used: the line, counted from 1, and what is wrong with it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {what}")]
pub struct TextError {
    pub line: usize,
    pub what: String,
}

impl TextError {
    pub(crate) fn new(line: usize, what: impl Into<String>) -> TextError {
        TextError { line, what: what.into() }
    }
}

/// The longest piece of a bad line that an error shows.
const SHOWN_CHARACTERS: usize = 24;

/// The lines of a file, counted from 1, without blanks at their ends.
pub(crate) fn lines(file: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    let lines = file.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
    lines.enumerate().map(|(n, line)| (n + 1, line))
}

/// The words of a line.
pub(crate) fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> + Clone {
    line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty())
}

/// A hexadecimal number of 32 bits, with or without 0x before it.
pub(crate) fn hexadecimal(line: usize, word: &[u8]) -> Result<u32, TextError> {
    let prefixed = word.strip_prefix(b"0x").or_else(|| word.strip_prefix(b"0X"));
    let digits = prefixed.unwrap_or(word);
    let value = digits.iter().try_fold(0u32, |value, digit| {
        let digit = char::from(*digit).to_digit(16)?;
        value.checked_mul(16).map(|value| value | digit)
    });
    value.filter(|_| !digits.is_empty()).ok_or_else(|| {
        let what = format!("'{}' is no hexadecimal number of 32 bits", shown(word));
        TextError::new(line, what)
    })
}

/// A piece of a file in an error: never more than fits, and nothing that a terminal obeys.
pub(crate) fn shown(word: &[u8]) -> String {
    let text: String = word.escape_ascii().map(char::from).take(SHOWN_CHARACTERS).collect();
    let cut = word.escape_ascii().count() > SHOWN_CHARACTERS;
    if cut { text + "..." } else { text }
}
