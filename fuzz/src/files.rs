//! The file service: requests of a guest, and the sessions in a snapshot.

use std::fs;
use std::os::unix::fs::symlink;

use rockcreek_board::HostService;
use rockcreek_defs::CoreId;
use rockcreek_host::{FILE_SERVICE, FileService};
use tempfile::TempDir;

/// A folder with something of everything, and one beside it that nobody shares.
fn folder() -> (TempDir, FileService) {
    let outer = TempDir::new().expect("a folder for temporary files");
    let shared = outer.path().join("shared");
    fs::create_dir_all(shared.join("sub/deeper")).expect("folders");
    fs::write(shared.join("file"), "contents\n").expect("a file");
    fs::write(outer.path().join("secret"), "untouched").expect("a file");
    symlink("file", shared.join("link")).expect("a link");
    symlink("../secret", shared.join("out")).expect("a link");
    let mut service = FileService::new();
    service.share(&shared).expect("a folder can be shared");
    (outer, service)
}

/// A 9P message: size, type, tag, body.
fn message(kind: u8, body: &[u8]) -> Vec<u8> {
    let mut message = (7 + body.len() as u32).to_le_bytes().to_vec();
    message.push(kind);
    message.extend([1, 0]);
    message.extend(body);
    message
}

/// Asks messages that stand one after the other, each with its own size; two cores take turns.
fn ask(service: &mut FileService, messages: &[u8]) {
    let mut rest = messages;
    let mut core = 0;
    while !rest.is_empty() {
        let size = rest.first_chunk().map_or(rest.len(), |size| u32::from_le_bytes(*size) as usize);
        let (request, after) = rest.split_at(size.clamp(1, rest.len()));
        let reply = service.call(CoreId(core), FILE_SERVICE, request).expect("there is a service");
        let told = reply.first_chunk().map(|size| u32::from_le_bytes(*size) as usize);
        assert_eq!(told, Some(reply.len()), "a reply tells its size");
        rest = after;
        core ^= 1;
    }
}

pub fn messages(data: &[u8]) {
    let (outer, mut service) = folder();
    ask(&mut service, data);
    service.save();
    let secret = fs::read(outer.path().join("secret")).expect("it is still there");
    assert_eq!(secret, b"untouched");
    assert_eq!(fs::read_dir(outer.path()).expect("a folder").count(), 2, "nothing got out");
}

fn name(text: &str) -> Vec<u8> {
    let mut bytes = (text.len() as u16).to_le_bytes().to_vec();
    bytes.extend(text.as_bytes());
    bytes
}

fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// Tversion and Tattach for both cores, then what `body` gives, asked by core 0.
fn session(requests: &[(u8, Vec<u8>)]) -> Vec<u8> {
    let nobody = message(108, &words(&[0])[..2]);
    let version = message(100, &[words(&[8192]), name("9P2000.L")].concat());
    let attach =
        message(104, &[words(&[0, u32::MAX]), name("root"), name(""), words(&[1000])].concat());
    let mut all = [version.clone(), version, attach.clone(), attach].concat();
    for (kind, body) in requests {
        all.extend(message(*kind, body));
        all.extend(&nobody);
    }
    all
}

fn walk(fid: u32, new: u32, names: &[&str]) -> (u8, Vec<u8>) {
    let mut body = words(&[fid, new]);
    body.extend((names.len() as u16).to_le_bytes());
    names.iter().for_each(|part| body.extend(name(part)));
    (110, body)
}

pub fn message_examples() -> Vec<Vec<u8>> {
    let read = [words(&[1]), words(&[0, 0]), words(&[100])].concat();
    let written = [words(&[1]), words(&[2, 0]), words(&[3]), b"abc".to_vec()].concat();
    let attributes = [words(&[1, 8, 0o644, 0, 0, 5, 0]), words(&[0; 8])].concat();
    vec![
        session(&[walk(0, 1, &["file"]), (12, words(&[1, 2])), (116, read.clone())]),
        session(&[walk(0, 1, &["file"]), (12, words(&[1, 2])), (118, written), (26, attributes)]),
        session(&[walk(0, 1, &["sub"]), (12, words(&[1, 0o200_000])), (40, read)]),
        session(&[
            walk(0, 1, &["sub"]),
            (14, [words(&[1]), name("new"), words(&[0o102, 0o644, 0])].concat()),
        ]),
        session(&[
            walk(0, 1, &["link"]),
            (22, words(&[1])),
            (24, words(&[1, 0x7FF, 0])),
            (120, words(&[1])),
        ]),
        session(&[
            (72, [words(&[0]), name("made"), words(&[0o755, 0])].concat()),
            walk(0, 2, &["made", ".."]),
        ]),
        session(&[
            (16, [words(&[0]), name("s"), name("../secret"), words(&[0])].concat()),
            walk(0, 1, &["out"]),
            (12, words(&[1, 1])),
        ]),
        session(&[
            walk(0, 1, &["file"]),
            (20, [words(&[1, 0]), name("other")].concat()),
            (70, [words(&[0, 1]), name("hard")].concat()),
        ]),
        session(&[
            (74, [words(&[0]), name("file"), words(&[0]), name("moved")].concat()),
            (76, [words(&[0]), name("moved"), words(&[0])].concat()),
        ]),
        session(&[(8, words(&[0])), (50, words(&[0, 0])), (122, words(&[0]))]),
    ]
}

/// Sessions as a snapshot holds them.
pub fn saved(data: &[u8]) {
    let (_outer, mut service) = folder();
    if service.restore(data).is_ok() {
        message_examples().iter().for_each(|messages| ask(&mut service, messages));
        service.save();
    }
}

pub fn saved_examples() -> Vec<Vec<u8>> {
    let (_outer, mut service) = folder();
    message_examples().iter().for_each(|messages| ask(&mut service, messages));
    vec![FileService::new().save(), service.save()]
}
