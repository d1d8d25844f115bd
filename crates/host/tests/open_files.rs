//! A guest has as many files open as the service allows, however few the host lets it hold.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use crate::common::{Client, NO_ANSWER, ROOT, body};
use proptest::prelude::*;
use rockcreek_board::HostService;
use rockcreek_defs::CoreId;
use rockcreek_host::FileService;

const EMFILE: u32 = 24;
const ENFILE: u32 = 23;
const ENOMEM: u32 = 12;
const ESTALE: u32 = 116;
const O_RDWR: u32 = 2;

/// A client whose service holds at most so many descriptors.
fn client_with(descriptors: usize) -> Client {
    let mut client = Client::new();
    client.service = FileService::with_descriptors(descriptors);
    client.service.share(&client.path("")).unwrap();
    client.start();
    client
}

fn create(client: &mut Client, fids: std::ops::Range<u32>) {
    for fid in fids {
        client.create(fid, &format!("file{fid}"), O_RDWR).unwrap();
        client.write(fid, 0, format!("{fid}").as_bytes()).unwrap();
    }
}

#[test]
fn files_are_opened_again_when_they_are_asked_for() {
    let mut client = client_with(3);
    create(&mut client, 1..60);
    for fid in (1..60).rev() {
        assert_eq!(client.read(fid, 0, 9).unwrap(), format!("{fid}").as_bytes());
        client.write(fid, 4, b"more").unwrap();
    }
    // A name that moves, a directory that moves.
    client.call(74, body().u32(ROOT).string("file7").u32(ROOT).string("seven")).unwrap();
    client.call(72, body().u32(ROOT).string("d").u32(0o755).u32(0)).unwrap();
    client.walk(100, "d").unwrap();
    client.call(74, body().u32(ROOT).string("file8").u32(100).string("eight")).unwrap();
    client.call(74, body().u32(ROOT).string("d").u32(ROOT).string("e")).unwrap();
    create(&mut client, 60..70);
    assert_eq!(client.read(7, 0, 1).unwrap(), b"7");
    assert_eq!(client.read(8, 0, 1).unwrap(), b"8");
    let saved = client.service.save();
    let mut service = FileService::with_descriptors(3);
    service.share(&client.path("")).unwrap();
    service.restore(&saved).unwrap();
    assert_eq!(service.save(), saved);
    client.service = service;
    assert_eq!(client.read(8, 4, 9).unwrap(), b"more");
}

#[test]
fn files_that_lost_their_names_stay_what_they_were() {
    let mut client = client_with(4);
    create(&mut client, 1..20);
    client.call(76, body().u32(ROOT).string("file1").u32(0)).unwrap();
    client.call(74, body().u32(ROOT).string("file3").u32(ROOT).string("file2")).unwrap();
    // Nobody could open it again.
    let mode = body().u32(4).u32(1).u32(0).u32(0).u32(0).u64(0).u64(0).u64(0).u64(0).u64(0);
    client.call(26, mode).unwrap();
    create(&mut client, 21..40);
    client.create(50, "file1", O_RDWR).unwrap();
    for (fid, text) in [(1, "1"), (2, "2"), (3, "3"), (4, "4"), (50, "")] {
        assert_eq!(client.read(fid, 0, 9).unwrap(), text.as_bytes(), "{fid}");
    }
    fs::set_permissions(client.path("file4"), fs::Permissions::from_mode(0o600)).unwrap();
}

#[test]
fn a_file_that_the_host_replaced_is_not_mistaken_for_another() {
    let mut client = client_with(2);
    create(&mut client, 1..10);
    fs::write(client.path("new"), "other").unwrap();
    fs::rename(client.path("new"), client.path("file1")).unwrap();
    assert_eq!(client.read(1, 0, 9), Err(ESTALE));
}

/// What is held cannot be given back: the front end ends the run.
#[test]
fn too_few_descriptors_are_no_answer() {
    let mut client = client_with(4);
    create(&mut client, 1..7);
    for fid in 1..5 {
        client.call(76, body().u32(ROOT).string(&format!("file{fid}")).u32(0)).unwrap();
    }
    assert_eq!(client.service.notices().lock().unwrap().host_is_full, None);
    assert_eq!(client.call(76, body().u32(ROOT).string("file5").u32(0)), Err(NO_ANSWER));
    assert_eq!(client.service.notices().lock().unwrap().host_is_full, Some(CoreId(0)));
    assert!(client.path("file5").exists(), "the request was not carried out");
}

#[test]
fn the_limits_are_the_services_own() {
    let mut client = client_with(8);
    let mut ends = Vec::new();
    for core in 0..16 {
        client.core = CoreId(core);
        client.start();
        let failed = (1..2000).find_map(|fid| {
            if core == 0 {
                client.create(fid, &format!("f{fid}"), O_RDWR).err()
            } else {
                client.walk(fid, "").err()
            }
        });
        ends.push(failed.unwrap());
    }
    assert_eq!(ends, [EMFILE; 16]);
    client.core = CoreId(16);
    let attach = body().u32(ROOT).u32(!0).string("").string("").u32(!0);
    assert_eq!(client.call(104, attach), Err(ENFILE), "16 times 1,024 and no more");
}

/// Directories half read: alike they share their names, unlike they meet a limit.
#[test]
fn names_of_open_directories_are_bounded() {
    let mut client = Client::new();
    fs::create_dir(client.path("many")).unwrap();
    for file in 0..2000 {
        fs::write(client.path(&format!("many/{file:0240}")), "").unwrap();
    }
    let half_read = |client: &mut Client, fid: u32| {
        client.walk(fid, "many").unwrap();
        client.open(fid, 0).unwrap();
        client.call(40, body().u32(fid).u64(0).u32(4000))
    };
    for fid in 1..100 {
        half_read(&mut client, fid).unwrap();
    }
    assert!(client.service.save().len() < 1_000_000, "they are kept once");
    let refused = (100..300).find_map(|fid| {
        fs::write(client.path(&format!("many/{fid}")), "").unwrap();
        half_read(&mut client, fid).err()
    });
    assert_eq!(refused, Some(ENOMEM));
    (1..100).for_each(|fid| client.clunk(fid));
    client.walk(501, "many").unwrap();
    client.open(501, 0).unwrap();
    (100..130).for_each(|fid| client.clunk(fid));
    assert!(client.list(501, 8000).len() > 2002, "who ends reading makes room");
}

#[test]
fn a_directory_can_be_read_again_from_its_middle() {
    let mut client = Client::new();
    for file in 0..9 {
        fs::write(client.path(&format!("f{file}")), "").unwrap();
    }
    client.walk(1, "").unwrap();
    client.open(1, 0).unwrap();
    let all = client.list(1, 4000);
    let reply = client.call(40, body().u32(1).u64(5).u32(4000)).unwrap();
    assert_eq!(&reply[4 + 24..4 + 26], all[5].0.as_bytes(), "behind the end, and back");
    assert_eq!(client.call(40, body().u32(1).u64(11).u32(4000)).unwrap(), body().u32(0).0);
    assert_eq!(client.call(40, body().u32(1).u64(u64::MAX).u32(4000)).unwrap(), body().u32(0).0);
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases(40)
    })]

    /// Many descriptors or few: the answers are the same.
    #[test]
    fn how_many_descriptors_there_are_does_not_show(requests in prop::collection::vec(
        (0..8u8, 1..12u32, 0..12u32), 1..150,
    )) {
        let mut clients = [client_with(3000), client_with(4)];
        let answers = clients.each_mut().map(|client| {
            let mut answers = Vec::new();
            for &(kind, fid, other) in &requests {
                let name = format!("n{other}");
                answers.push(match kind {
                    0 | 1 => client.create(fid, &name, O_RDWR),
                    2 => client.write(fid, u64::from(other), name.as_bytes()).map(|n| vec![n as u8]),
                    3 => client.read(fid, 0, 50),
                    4 => client.call(76, body().u32(ROOT).string(&name).u32(0)),
                    5 => client.call(
                        74,
                        body().u32(ROOT).string(&name).u32(ROOT).string(&format!("n{fid}")),
                    ),
                    6 => client.call(120, body().u32(fid)),
                    _ => client.attributes(fid),
                });
            }
            answers
        });
        // Where even what must be held is too much, there is no answer.
        let few = answers[1].split(|answer| *answer == Err(NO_ANSWER)).next().unwrap_or_default();
        prop_assert_eq!(&answers[0][..few.len()], few);
    }
}
