//! Links that a guest plants do not lead out, whoever follows them.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use crate::common::{Client, ROOT, body};

const EACCES: u32 = 13;
const ENOTDIR: u32 = 20;

fn make(client: &mut Client, directory: u32, name: &str, target: &str) -> Result<Vec<u8>, u32> {
    client.call(16, body().u32(directory).string(name).string(target).u32(0))
}

fn make_directory(client: &mut Client, path: &str) {
    fs::create_dir_all(client.path(path)).unwrap();
}

fn rename(client: &mut Client, from: &str, to: &str) -> Result<(), u32> {
    let (from, to) = (Path::new(from), Path::new(to));
    for (fid, path) in [(40, from), (41, to)] {
        client.walk(fid, path.parent().unwrap().to_str().unwrap()).unwrap();
    }
    let names = [from, to].map(|path| path.file_name().unwrap().to_str().unwrap());
    let request = body().u32(40).string(names[0]).u32(41).string(names[1]);
    let outcome = client.call(74, request).map(drop);
    client.clunk(40);
    client.clunk(41);
    outcome
}

/// Where a program of the host that follows every link from the folder on gets to.
fn assert_nothing_leads_out(client: &Client) {
    let root = client.path("").canonicalize().unwrap();
    let mut left = vec![root.clone()];
    while let Some(at) = left.pop() {
        for entry in fs::read_dir(at).unwrap().map(Result::unwrap) {
            let kind = entry.file_type().unwrap();
            if kind.is_symlink() {
                let led = entry.path().canonicalize().unwrap_or_else(|_| root.clone());
                assert!(led.starts_with(&root), "{:?} leads to {led:?}", entry.path());
            } else if kind.is_dir() {
                left.push(entry.path());
            }
        }
    }
}

#[test]
fn a_link_does_not_lead_out_when_it_moves() {
    let mut client = Client::new();
    make_directory(&mut client, "a/b");
    client.walk(1, "a/b").unwrap();
    make(&mut client, 1, "up", "../../file").unwrap();
    make(&mut client, 1, "down", "file").unwrap();
    assert_eq!(rename(&mut client, "a/b/up", "a/up"), Err(EACCES));
    assert_eq!(rename(&mut client, "a/b/up", "up"), Err(EACCES));
    client.walk(2, "a/b/up").unwrap();
    assert_eq!(client.call(20, body().u32(2).u32(ROOT).string("up")), Err(EACCES));
    assert_eq!(client.call(70, body().u32(ROOT).u32(2).string("up")), Err(EACCES), "hard link");
    rename(&mut client, "a/b/down", "down").unwrap();
    // It moves with the directory that it lies in.
    assert_eq!(rename(&mut client, "a/b", "b"), Err(EACCES));
    make_directory(&mut client, "c");
    rename(&mut client, "a/b", "c/b").unwrap();
    make_directory(&mut client, "d/e");
    rename(&mut client, "c", "d/e/c").unwrap();
    assert_eq!(rename(&mut client, "d/e/c", "c").err(), None, "back to where it was");
    assert_nothing_leads_out(&client);
    let refused = client.service.notices().lock().unwrap().refusals.clone();
    assert!(refused.iter().any(|(_, path)| path == "/a/up"), "{refused:?}");
}

#[test]
fn a_link_does_not_lead_out_by_what_its_names_become() {
    let mut client = Client::new();
    make(&mut client, ROOT, "here", ".").unwrap();
    assert_eq!(make(&mut client, ROOT, "out", "here/../secret"), Err(EACCES));
    make_directory(&mut client, "d");
    assert_eq!(make(&mut client, ROOT, "out", "d/../../secret"), Err(EACCES));
    assert_eq!(make(&mut client, ROOT, "out", "d/../secret"), Err(EACCES), "d may become a link");
    assert_nothing_leads_out(&client);
}

/// A fid stays where its directory was; a link there would make its names deeper than it is.
#[test]
fn a_directory_that_became_a_link_takes_no_links() {
    let mut client = Client::new();
    make_directory(&mut client, "a/b/c");
    client.walk(1, "a/b/c").unwrap();
    client.walk(2, "a/b").unwrap();
    client.call(76, body().u32(2).string("c").u32(0x200)).unwrap();
    make(&mut client, 2, "c", "../..").unwrap();
    assert_eq!(make(&mut client, 1, "out", "../../../secret"), Err(ENOTDIR));
    make(&mut client, 2, "fine", "../../secret").unwrap();
    let request = body().u32(2).string("fine").u32(1).string("out");
    assert_eq!(client.call(74, request), Err(ENOTDIR));
    assert_nothing_leads_out(&client);
}

/// Links that the host's user has made may lead out; a guest gives them no other name.
#[test]
fn links_of_the_user_are_not_moved_nor_led_through() {
    let mut client = Client::new();
    make_directory(&mut client, "tools");
    symlink("/etc", client.path("tools/etc")).unwrap();
    for (from, to) in [("tools/etc", "results"), ("tools", "results")] {
        assert_eq!(rename(&mut client, from, to), Err(EACCES), "{from}");
    }
    assert_eq!(make(&mut client, ROOT, "users", "tools/etc/passwd"), Err(EACCES));
    rename(&mut client, "tools", "tools").unwrap_err();
    assert!(client.path("tools/etc").is_symlink());
}
