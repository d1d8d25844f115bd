//! Shared folders against a client that is honest, and one that is not.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use crate::common::{Client, ROOT, body, u32_at, u64_at};
use proptest::prelude::*;
use rockcreek_board::HostService;
use rockcreek_defs::CoreId;
use rockcreek_host::{FILE_SERVICE, FileService};
use tempfile::TempDir;

const ENOENT: u32 = 2;
const EBADF: u32 = 9;
const EACCES: u32 = 13;
const EEXIST: u32 = 17;
const ENOTDIR: u32 = 20;
const EISDIR: u32 = 21;
const EINVAL: u32 = 22;
const EMFILE: u32 = 24;
const ENOTEMPTY: u32 = 39;
const ELOOP: u32 = 40;
const EOPNOTSUPP: u32 = 95;

const O_RDWR: u32 = 2;
const O_EXCL: u32 = 0o200;
const O_TRUNC: u32 = 0o1000;
const O_APPEND: u32 = 0o2000;
const O_DIRECTORY: u32 = 0o200_000;

#[test]
fn a_file_is_created_written_and_read_back() {
    let mut client = Client::new();
    client.create(1, "out.txt", O_RDWR | O_EXCL).unwrap();
    assert_eq!(client.write(1, 0, b"hello world"), Ok(11));
    assert_eq!(client.write(1, 6, b"there"), Ok(5));
    assert_eq!(client.read(1, 0, 100).unwrap(), b"hello there");
    assert_eq!(client.read(1, 11, 100).unwrap(), b"");
    client.call(50, body().u32(1).u32(0)).unwrap();
    client.clunk(1);
    assert_eq!(fs::read(client.path("out.txt")).unwrap(), b"hello there");
    assert_eq!(fs::metadata(client.path("out.txt")).unwrap().permissions().mode() & 0o777, 0o644);
    assert_eq!(client.create(1, "out.txt", O_RDWR | O_EXCL), Err(EEXIST));
    client.walk(2, "out.txt").unwrap();
    client.open(2, O_RDWR | O_TRUNC).unwrap();
    assert_eq!(client.read(2, 0, 10).unwrap(), b"");
    client.walk(3, "out.txt").unwrap();
    client.open(3, O_RDWR | O_APPEND).unwrap();
    client.write(2, 0, b"12345").unwrap();
    client.write(3, 0, b"67").unwrap();
    assert_eq!(client.read(2, 0, 10).unwrap(), b"1234567");
}

/// What a snapshot keeps: fids, open files by name, listings that were begun.
#[test]
fn sessions_go_on_after_a_restore() {
    let mut client = Client::new();
    client.create(1, "file", O_RDWR | O_EXCL | O_TRUNC).unwrap();
    client.write(1, 0, b"before").unwrap();
    fs::write(client.path("log"), "one").unwrap();
    client.walk(2, "log").unwrap();
    client.open(2, O_RDWR | O_APPEND).unwrap();
    symlink("log", client.path("link")).unwrap();
    client.walk(3, "").unwrap();
    client.open(3, O_DIRECTORY).unwrap();
    let saved = client.service.save();
    let mut service = FileService::new();
    assert!(service.restore(&saved).unwrap_err().to_string().contains("shared folder 0"));
    service.share(&client.path("")).unwrap();
    service.restore(&saved).unwrap();
    assert_eq!(service.save(), saved);
    client.service = service;
    assert_eq!(client.read(1, 0, 100).unwrap(), b"before", "it was not truncated again");
    client.write(2, 0, b"two").unwrap();
    assert_eq!(fs::read(client.path("log")).unwrap(), b"onetwo");
    let names: Vec<String> = client.list(3, 4096).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, [".", "..", "file", "link", "log"]);
    fs::remove_file(client.path("file")).unwrap();
    let mut service = FileService::new();
    service.share(&client.path("")).unwrap();
    let text = service.restore(&saved).unwrap_err().to_string();
    assert!(text.contains("core 0 has /file open"), "{text}");
    assert!(service.restore(&saved[..saved.len() / 2]).is_err());
}

#[test]
fn a_long_read_fills_the_message_and_no_more() {
    let mut client = Client::new();
    fs::write(client.path("big"), vec![7; 20_000]).unwrap();
    client.walk(1, "big").unwrap();
    let opened = client.open(1, 0).unwrap();
    assert_eq!(u32_at(&opened, 13), 8192 - 11, "iounit");
    assert_eq!(client.read(1, 0, u32::MAX).unwrap().len(), 8192 - 11);
    assert_eq!(client.read(1, 19_990, 1000).unwrap().len(), 10);
    assert_eq!(client.read(1, u64::MAX, 1000), Err(EINVAL));
}

#[test]
fn directories_are_sorted_and_read_in_pieces() {
    let mut client = Client::new();
    for name in ["zeta", "alpha", "mid", "Beta"] {
        fs::write(client.path(name), "").unwrap();
    }
    fs::create_dir(client.path("dir")).unwrap();
    symlink("alpha", client.path("link")).unwrap();
    client.walk(1, "").unwrap();
    assert_eq!(client.open(1, O_RDWR), Err(EISDIR));
    client.open(1, O_DIRECTORY).unwrap();
    let names = client.list(1, 60);
    let expected = [
        (".", 4),
        ("..", 4),
        ("Beta", 8),
        ("alpha", 8),
        ("dir", 4),
        ("link", 10),
        ("mid", 8),
        ("zeta", 8),
    ];
    assert_eq!(names, expected.map(|(name, kind)| (name.to_owned(), kind)));
    assert_eq!(client.list(1, 4000), names, "from the start again");
    fs::write(client.path("new"), "").unwrap();
    assert_eq!(client.list(1, 4000).len(), names.len() + 1, "a rewind sees new files");
    assert_eq!(client.read(1, 0, 10), Err(EISDIR));
}

#[test]
fn attributes_tell_nothing_of_the_host() {
    let mut client = Client::new();
    fs::write(client.path("a"), vec![0; 5000]).unwrap();
    fs::create_dir(client.path("d")).unwrap();
    client.walk(1, "a").unwrap();
    client.walk(2, "d").unwrap();
    let file = client.attributes(1).unwrap();
    assert_eq!(u32_at(&file, 21) & 0o170_000, 0o100_000);
    assert_eq!((u32_at(&file, 25), u32_at(&file, 29)), (0, 0), "owner and group");
    assert_eq!((u64_at(&file, 33), u64_at(&file, 49)), (1, 5000), "links and size");
    assert_eq!(u64_at(&file, 65), 10, "blocks of 512 bytes");
    let dates = [73, 89, 105, 121].map(|at| u64_at(&file, at));
    assert_eq!(dates, [1_262_304_000; 4]);
    assert_eq!(u64_at(&client.attributes(2).unwrap(), 49), 4096, "a directory's size");
    // The same names in another folder have the same inode numbers.
    let mut other = Client::new();
    fs::write(other.path("a"), "").unwrap();
    other.walk(1, "a").unwrap();
    assert_eq!(u64_at(&other.attributes(1).unwrap(), 13), u64_at(&file, 13));
    client.call(8, body().u32(1)).unwrap();
}

#[test]
fn size_and_mode_can_be_set() {
    let mut client = Client::new();
    fs::write(client.path("a"), "12345").unwrap();
    client.walk(1, "a").unwrap();
    let set = |valid: u32, mode: u32, size: u64| {
        let request = body().u32(1).u32(valid).u32(mode).u32(0).u32(0).u64(size);
        request.u64(0).u64(0).u64(0).u64(0)
    };
    client.call(26, set(0x8, 0, 2)).unwrap();
    client.call(26, set(0x1, 0o600, 0)).unwrap();
    client.call(26, set(0x1F6, 0, 0)).unwrap();
    assert_eq!(fs::read(client.path("a")).unwrap(), b"12");
    assert_eq!(u32_at(&client.attributes(1).unwrap(), 21), 0o100_600);
}

#[test]
fn names_are_made_moved_and_removed() {
    let mut client = Client::new();
    let mkdir = |name: &str| body().u32(ROOT).string(name).u32(0o777).u32(0);
    client.call(72, mkdir("d")).unwrap();
    assert_eq!(client.call(72, mkdir("d")), Err(EEXIST));
    client.create(1, "f", O_RDWR).unwrap();
    client.write(1, 0, b"data").unwrap();
    // Another core holds a fid below the directory that moves.
    client.core = CoreId(5);
    client.start();
    client.walk(7, "d").unwrap();
    client.core = CoreId(0);
    client.walk(2, "d").unwrap();
    client.call(74, body().u32(ROOT).string("f").u32(2).string("g")).unwrap();
    assert_eq!(fs::read(client.path("d/g")).unwrap(), b"data");
    client.attributes(1).unwrap();
    client.call(20, body().u32(2).u32(ROOT).string("e")).unwrap();
    client.core = CoreId(5);
    client.call(110, body().u32(7).u32(8).u16(1).string("g")).unwrap();
    client.core = CoreId(0);
    let unlink = |fid: u32, name: &str, flags: u32| body().u32(fid).string(name).u32(flags);
    assert_eq!(client.call(76, unlink(ROOT, "e", 0)), Err(EISDIR));
    assert_eq!(client.call(76, unlink(ROOT, "e", 0x200)), Err(ENOTEMPTY));
    client.call(70, body().u32(ROOT).u32(1).string("hard")).unwrap();
    client.call(76, unlink(2, "g", 0)).unwrap();
    assert_eq!(client.read(1, 0, 9).unwrap(), b"data", "an open file outlives its name");
    client.attributes(1).unwrap();
    assert_eq!(client.call(76, unlink(ROOT, "hard", 0x200)), Err(ENOTDIR));
    client.call(122, body().u32(2)).unwrap();
    assert!(!client.path("e").exists());
    assert_eq!(client.attributes(2), Err(EBADF), "Tremove takes the fid along");
    assert_eq!(client.call(122, body().u32(ROOT)), Err(1));
}

#[test]
fn symbolic_links_end_a_walk_and_tell_their_target() {
    let mut client = Client::new();
    fs::create_dir(client.path("d")).unwrap();
    fs::write(client.path("d/f"), "x").unwrap();
    let link = |name: &str, target: &str| body().u32(ROOT).string(name).string(target).u32(0);
    client.call(16, link("l", "d/f")).unwrap();
    client.call(16, link("dl", "d")).unwrap();
    client.walk(1, "l").unwrap();
    assert_eq!(client.call(22, body().u32(1)).unwrap(), body().string("d/f").0);
    assert_eq!(client.open(1, 0), Err(ELOOP));
    assert_eq!(client.walk(2, "dl/f"), Ok(1), "the client follows links");
    client.walk(3, "d").unwrap();
    assert_eq!(client.call(22, body().u32(3)), Err(EINVAL));
    client.call(16, body().u32(3).string("up").string("../d/f").u32(0)).unwrap();
}

#[test]
fn nothing_leads_out_of_the_folder() {
    let mut client = Client::new();
    let secret = client.dir.path().join("secret");
    symlink(&secret, client.path("absolute")).unwrap();
    symlink("../secret", client.path("relative")).unwrap();
    symlink("..", client.path("parent")).unwrap();
    symlink("relative", client.path("chain")).unwrap();
    symlink("loop", client.path("loop")).unwrap();
    // The targets of links that lead out of the folder are also withheld.
    for (fid, name) in (1..).zip(["absolute", "relative", "parent"]) {
        client.walk(fid, name).unwrap();
        assert_eq!(client.call(22, body().u32(fid)), Err(EACCES), "{name}");
        assert_eq!(client.open(fid, 0), Err(ELOOP), "{name}");
        assert_eq!(client.create(50, name, O_RDWR), Err(ELOOP), "{name}");
    }
    assert_eq!(client.walk(10, "parent/secret"), Ok(1));
    assert_eq!(client.walk(10, "chain/secret"), Ok(1));
    client.walk(11, "loop").unwrap();
    assert_eq!(client.open(11, 0), Err(ELOOP));
    // Dots stop at the root.
    assert_eq!(client.walk(12, "../../.."), Ok(3));
    let root = client.attributes(ROOT).unwrap();
    assert_eq!(client.attributes(12).unwrap(), root);
    assert_eq!(client.walk(13, "../secret"), Ok(1));
    for name in ["../secret", "/etc/passwd", "a/b", "a\0b", "..", "."] {
        assert_eq!(client.create(50, name, O_RDWR), Err(EINVAL), "{name}");
        let request = body().u32(ROOT).string(name).u32(ROOT).string("stolen");
        assert_eq!(client.call(74, request), Err(EINVAL), "{name}");
    }
    for target in ["/etc/passwd", "../secret", "a/../../secret", secret.to_str().unwrap()] {
        let request = body().u32(ROOT).string("new").string(target).u32(0);
        assert_eq!(client.call(16, request), Err(EACCES), "{target}");
    }
    assert!(!client.path("new").exists());
    let notices = client.service.notices();
    let paths = ["/absolute", "/relative", "/parent", "/new"];
    assert_eq!(notices.lock().unwrap().refusals, paths.map(|path| (CoreId(0), path.to_owned())));
    assert_eq!(fs::read(secret).unwrap(), b"secret");
}

#[test]
fn a_directory_that_turns_into_a_link_does_not_lead_out() {
    let mut client = Client::new();
    fs::create_dir(client.path("d")).unwrap();
    client.walk(1, "d").unwrap();
    fs::remove_dir(client.path("d")).unwrap();
    symlink("..", client.path("d")).unwrap();
    assert!(client.call(110, body().u32(1).u32(2).u16(1).string("secret")).is_err());
    let create = body().u32(1).string("stolen").u32(O_RDWR).u32(0o666).u32(0);
    assert_eq!(client.call(14, create), Err(EACCES));
    let mkdir = body().u32(1).string("stolen").u32(0o777).u32(0);
    assert_eq!(client.call(72, mkdir), Err(EACCES));
    let unlink = body().u32(1).string("secret").u32(0);
    assert_eq!(client.call(76, unlink), Err(EACCES));
    assert!(!client.dir.path().join("stolen").exists());
}

#[test]
fn devices_and_pipes_of_the_host_are_not_opened() {
    let mut client = Client::new();
    let path = client.path("socket");
    let _socket = std::os::unix::net::UnixListener::bind(path).unwrap();
    client.walk(1, "socket").unwrap();
    client.attributes(1).unwrap();
    assert_eq!(client.open(1, 0), Err(EACCES));
}

#[test]
fn what_is_not_there_or_not_served_has_its_number() {
    let mut client = Client::new();
    assert_eq!(client.walk(1, "missing"), Err(ENOENT));
    assert_eq!(client.walk(1, ""), Ok(0));
    assert_eq!(client.attributes(99), Err(EBADF));
    assert_eq!(client.read(1, 0, 1), Err(EBADF), "not open");
    assert_eq!(client.call(102, body().u32(1).string("").string("")), Err(EOPNOTSUPP));
    assert_eq!(client.call(30, body().u32(1).u32(2).string("user.x")), Err(EOPNOTSUPP));
    assert_eq!(client.call(99, body()), Err(EINVAL));
    let unknown = client.call(100, body().u32(8192).string("9P2000.u")).unwrap();
    assert_eq!(unknown, body().u32(8192).string("unknown").0);
    assert_eq!(client.attributes(1), Err(EBADF), "a version request ends all fids");
    assert!(client.service.call(CoreId(0), 2, &[]).is_none(), "another service");
}

#[test]
fn fids_run_out_before_the_host_does() {
    let mut client = Client::new();
    let failed = (1..2000).find_map(|fid| client.walk(fid, "").err());
    assert_eq!(failed, Some(EMFILE));
    client.call(110, body().u32(ROOT).u32(ROOT).u16(0)).unwrap();
}

#[test]
fn folders_are_attached_by_number() {
    let mut client = Client::new();
    let other = TempDir::new().unwrap();
    client.service.share(other.path()).unwrap();
    let attach = |fid: u32, name: &str| body().u32(fid).u32(!0).string("").string(name).u32(!0);
    client.call(104, attach(5, "1")).unwrap();
    client.call(104, attach(6, "/0")).unwrap();
    assert_eq!(client.call(104, attach(7, "2")), Err(ENOENT));
    let error = client.service.share(Path::new("/nonexistent")).unwrap_err();
    assert!(error.to_string().contains("/nonexistent"), "{error}");
    let mut none = FileService::new();
    assert!(none.call(CoreId(0), FILE_SERVICE, &[]).is_some());
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases(60)
    })]

    #[test]
    fn any_bytes_get_an_answer(messages in prop::collection::vec(
        (0..128u8, prop::collection::vec(any::<u8>(), 0..80), any::<bool>()), 1..60,
    )) {
        let mut client = Client::new();
        for (kind, bytes, framed) in messages {
            let mut message = Vec::new();
            if framed {
                message.extend((bytes.len() as u32 + 7).to_le_bytes());
                message.extend([kind, 0, 0]);
            }
            message.extend(bytes);
            let reply = client.service.call(CoreId(3), FILE_SERVICE, &message).unwrap();
            prop_assert_eq!(u32_at(&reply, 0) as usize, reply.len());
        }
    }

    /// Sensible fields in senseless combinations.
    #[test]
    fn random_requests_stay_in_the_folder(requests in prop::collection::vec(
        (0..128u8, prop::collection::vec((0..6u8, 0..6u32), 0..6)), 1..120,
    )) {
        let mut client = Client::new();
        fs::write(client.path("a"), "a").unwrap();
        symlink("..", client.path("b")).unwrap();
        fs::create_dir(client.path("c")).unwrap();
        for (kind, fields) in requests {
            let request = fields.into_iter().fold(body(), |body, (form, value)| match form {
                0 | 1 => body.u32(value),
                2 => body.u64(u64::from(value)),
                3 => body.u16(value as u16),
                _ => body.string(["a", "b", "c", "..", "d", "9P2000.L"][value as usize]),
            });
            let _ = client.call(kind, request);
        }
        let outside: Vec<_> = fs::read_dir(client.dir.path()).unwrap().collect();
        prop_assert_eq!(outside.len(), 2);
        prop_assert_eq!(fs::read(client.dir.path().join("secret")).unwrap(), b"secret");
    }
}
