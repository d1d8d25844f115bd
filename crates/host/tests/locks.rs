//! Locks on bytes of files, between cores.

use std::fs;

use crate::common::{Client, body, u32_at, u64_at};
use rockcreek_board::HostService;
use rockcreek_defs::CoreId;
use rockcreek_host::FileService;

const EBADF: u32 = 9;
const EINVAL: u32 = 22;
const ENOLCK: u32 = 37;

const READ: u8 = 0;
const WRITE: u8 = 1;
const NONE: u8 = 2;
const GRANTED: Result<u8, u32> = Ok(0);
const BLOCKED: Result<u8, u32> = Ok(1);

/// Two cores that have one file open as fid 1; the file has two names.
fn two_cores() -> Client {
    let mut client = Client::new();
    fs::write(client.path("file"), "0123456789").unwrap();
    fs::hard_link(client.path("file"), client.path("same")).unwrap();
    for (core, name) in [(1, "file"), (0, "same")] {
        client.core = CoreId(core);
        if core == 1 {
            client.start();
        }
        client.walk(1, name).unwrap();
        client.open(1, 2).unwrap();
    }
    client
}

fn lock(client: &mut Client, core: u16, kind: u8, start: u64, length: u64) -> Result<u8, u32> {
    client.core = CoreId(core);
    let request = body().u32(1).bytes(&[kind]).u32(0).u64(start).u64(length);
    client.call(52, request.u32(100 + u32::from(core)).string("")).map(|reply| reply[0])
}

#[test]
fn who_writes_is_alone_and_readers_are_not() {
    let mut client = two_cores();
    assert_eq!(lock(&mut client, 0, READ, 0, 4), GRANTED);
    assert_eq!(lock(&mut client, 1, READ, 2, 4), GRANTED);
    assert_eq!(lock(&mut client, 1, WRITE, 3, 4), BLOCKED);
    assert_eq!(lock(&mut client, 1, WRITE, 4, 0), GRANTED, "beside it");
    assert_eq!(lock(&mut client, 0, READ, 1000, 1), BLOCKED, "a length of 0 has no end");
    assert_eq!(lock(&mut client, 1, NONE, 0, 0), GRANTED);
    assert_eq!(lock(&mut client, 0, WRITE, 0, 4), GRANTED, "a core's own is not in its way");
    assert_eq!(lock(&mut client, 1, READ, 0, 1), BLOCKED);
}

#[test]
fn a_part_is_given_back_and_the_rest_is_told() {
    let mut client = two_cores();
    assert_eq!(lock(&mut client, 1, WRITE, 10, 20), GRANTED);
    assert_eq!(lock(&mut client, 1, NONE, 15, 5), GRANTED);
    assert_eq!(lock(&mut client, 0, WRITE, 15, 5), GRANTED);
    assert_eq!(lock(&mut client, 0, WRITE, 14, 1), BLOCKED);
    assert_eq!(lock(&mut client, 0, WRITE, 20, 1), BLOCKED);
    let mut told = |start: u64| {
        let request = body().u32(1).bytes(&[WRITE]).u64(start).u64(0).u32(100).string("");
        let reply = client.call(54, request).unwrap();
        (reply[0], u64_at(&reply, 1), u64_at(&reply, 9), u32_at(&reply, 17))
    };
    assert_eq!(told(20), (WRITE, 20, 10, 101));
    assert_eq!(told(30), (NONE, 30, 0, 100));
}

#[test]
fn locks_go_with_any_fid_of_the_file_that_is_closed() {
    let mut client = two_cores();
    assert_eq!(lock(&mut client, 1, WRITE, 0, 0), GRANTED);
    client.walk(2, "same").unwrap();
    client.open(2, 0).unwrap();
    assert_eq!(lock(&mut client, 0, READ, 0, 1), BLOCKED);
    client.core = CoreId(1);
    client.clunk(2);
    assert_eq!(lock(&mut client, 0, READ, 0, 1), GRANTED);
}

#[test]
fn a_snapshot_has_the_locks() {
    let mut client = two_cores();
    assert_eq!(lock(&mut client, 1, WRITE, 2, 3), GRANTED);
    let saved = client.service.save();
    let mut service = FileService::new();
    service.share(&client.path("")).unwrap();
    service.restore(&saved).unwrap();
    client.service = service;
    assert_eq!(lock(&mut client, 0, WRITE, 4, 1), BLOCKED);
    assert_eq!(lock(&mut client, 0, WRITE, 5, 1), GRANTED);
}

#[test]
fn what_is_no_lock_is_refused() {
    let mut client = two_cores();
    assert_eq!(lock(&mut client, 0, 3, 0, 1), Err(EINVAL));
    assert_eq!(lock(&mut client, 0, WRITE, u64::MAX, 2), Err(EINVAL));
    let mut granted = 0;
    while lock(&mut client, 0, WRITE, 2 * granted, 1) == GRANTED {
        granted += 1;
    }
    assert_eq!(lock(&mut client, 0, WRITE, 2 * granted, 1), Err(ENOLCK), "after {granted}");
    client.walk(3, "").unwrap();
    let request = body().u32(3).bytes(&[WRITE]).u32(0).u64(0).u64(0).u32(1).string("");
    assert_eq!(client.call(52, request), Err(EBADF), "not open");
}

#[test]
fn holes_are_not_without_bound() {
    let mut client = two_cores();
    assert_eq!(lock(&mut client, 0, WRITE, 0, 0), GRANTED);
    let holes = (0..10_000).take_while(|at| lock(&mut client, 0, NONE, 2 * at + 1, 1) == GRANTED);
    assert_eq!(holes.count(), 4095, "each hole makes one lock more");
    assert_eq!(lock(&mut client, 0, NONE, 8191, 1), Err(ENOLCK));
    assert_eq!(lock(&mut client, 0, NONE, 0, 0), GRANTED, "all can always be given back");
    assert_eq!(lock(&mut client, 1, WRITE, 0, 0), GRANTED);
}
