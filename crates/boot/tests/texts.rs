//! The text formats of sccKit's tools: what they mean, and that nothing breaks their readers.

use proptest::prelude::*;
use rockcreek_boot::{Kernel, LutWrite, Piece, TextError, parse_lut_data, parse_memory_object};
use rockcreek_defs::Coord;

fn refused(text: &str) -> String {
    parse_memory_object(text.as_bytes()).unwrap_err().to_string()
}

#[test]
fn an_object_is_words_at_word_addresses() {
    let text = "/origin 4000\n\
                00000001 00000002 00000003 a0b0c0d0\n\
                5 6\r\n\n\
                /origin 3C00000\n\
                deadbeef 0 0 0\n\
                /eof\n";
    let pieces = parse_memory_object(text.as_bytes()).unwrap();
    let first = [1u32, 2, 3, 0xA0B0_C0D0, 5, 6];
    let first: Vec<u8> = first.into_iter().flat_map(u32::to_le_bytes).collect();
    assert_eq!(pieces[0], Piece { address: 0x1_0000, bytes: first, line: 1 });
    assert_eq!((pieces[1].address, pieces[1].end()), (0xF00_0000, 0xF00_0010));
    assert_eq!(pieces[1].bytes[..4], [0xEF, 0xBE, 0xAD, 0xDE]);
}

#[test]
fn broken_objects_are_refused_with_their_line() {
    assert_eq!(refused("0 0 0 0\n/eof"), "line 1: data before the first /origin");
    assert_eq!(refused("/origin\n/eof"), "line 1: /origin needs one address");
    assert_eq!(refused("/origin 0\n1 2 3 4 5\n/eof"), "line 2: 5 words; a line has at most 4");
    let long = "line 2: '123456789' is no hexadecimal number of 32 bits";
    assert_eq!(refused("/origin 0\n123456789\n/eof"), long);
    assert_eq!(refused("/origin 0\n1\n/end"), "line 3: '/end' is neither /origin nor /eof");
    assert_eq!(refused("/origin 0\n/eof\n1"), "line 3: text behind /eof");
    let cut = "line 2: the file ends without /eof: it is cut short";
    assert_eq!(refused("/origin 0\n1 2 3 4\n"), cut);
    assert_eq!(refused(""), "line 1: the file ends without /eof: it is cut short");
    assert!(refused("/origin 0\n\u{1b}[2J\n/eof").contains(r"'\x1b[2J'"));
}

#[test]
fn lut_data_names_a_tile_and_an_entry() {
    let router = Coord { x: 5, y: 2 };
    let writes = parse_lut_data(b"# core 34\n0x25 2 0x0ff8 0x00004bf4\n\n25 2 1000 3f\n").unwrap();
    let boot = LutWrite { router, offset: 0xFF8, value: 0x4BF4, line: 2 };
    assert_eq!(writes, [boot, LutWrite { router, offset: 0x1000, value: 0x3F, line: 4 }]);
}

#[test]
fn broken_lut_data_is_refused_with_its_line() {
    let refused = |text: &str| parse_lut_data(text.as_bytes()).unwrap_err().to_string();
    let short = "line 1: '25 2 800' has 3 numbers, not route, sub-destination, address, value";
    assert_eq!(refused("25 2 800"), short);
    assert_eq!(refused("125 2 800 0"), "line 1: route 0x125 is wider than 8 bits");
    assert_eq!(refused("25 3 800 0"), "line 1: sub-destination 0x3 is not 2, the CRB");
    assert_eq!(refused("25 2 804 0"), "line 1: address 0x804 is no LUT entry");
    assert_eq!(refused("25 2 1800 0"), "line 1: address 0x1800 is no LUT entry");
    let wide = "line 2: value 0x400000 is wider than the 22 bits of a LUT entry";
    assert_eq!(refused("\n25 2 800 400000"), wide);
}

/// Text that is nearly right.
fn nearly() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        Just("/origin".to_owned()),
        Just("/eof".to_owned()),
        Just("\n".to_owned()),
        "[0-9a-fx]{1,9}",
        "\\PC{0,3}",
    ];
    proptest::collection::vec(word, 0..60).prop_map(|words| words.join(" "))
}

fn check(result: Result<usize, TextError>, file: &[u8]) -> Result<(), TestCaseError> {
    let lines = file.split(|byte| *byte == b'\n').count();
    if let Err(error) = result {
        prop_assert!((1..=lines).contains(&error.line), "{error}");
    }
    Ok(())
}

proptest! {
    #[test]
    fn any_bytes_are_read_or_refused(file in proptest::collection::vec(any::<u8>(), 0..300)) {
        check(parse_memory_object(&file).map(|pieces| pieces.len()), &file)?;
        check(parse_lut_data(&file).map(|writes| writes.len()), &file)?;
        let _ = Kernel::parse(&file);
    }

    #[test]
    fn any_words_are_read_or_refused(text in nearly()) {
        let file = text.as_bytes();
        check(parse_memory_object(file).map(|pieces| pieces.len()), file)?;
        check(parse_lut_data(file).map(|writes| writes.len()), file)?;
    }

    #[test]
    fn an_elf_with_wrong_bytes_is_read_or_refused(
        body in proptest::collection::vec(any::<u8>(), 32..200),
        small in proptest::collection::vec(0u8..64, 32),
    ) {
        let mut file = b"\x7fELF\x01\x01\x01\0\0\0\0\0\0\0\0\0\x02\0\x03\0".to_vec();
        file.extend(small);
        file.extend(body);
        let _ = Kernel::parse(&file);
    }

    #[test]
    fn what_is_written_is_read(words in proptest::collection::vec(any::<u32>(), 1..40), at: u32) {
        let mut text = format!("/origin {at:x}\n");
        for line in words.chunks(4) {
            let line: Vec<String> = line.iter().map(|word| format!("{word:08x}")).collect();
            text += &(line.join(" ") + "\n");
        }
        let pieces = parse_memory_object((text + "/eof\n").as_bytes()).unwrap();
        let bytes: Vec<u8> = words.into_iter().flat_map(u32::to_le_bytes).collect();
        prop_assert_eq!(pieces, [Piece { address: 4 * u64::from(at), bytes, line: 1 }]);
    }
}
