//! Attacks on the shared folder, counted: names that lead out in every request that has a name, and
//! a folder that becomes a link, and a folder again, while requests go through it.

use std::fs;
use std::os::unix::fs::{MetadataExt, symlink};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use crate::common::{Body, Client, ROOT, body};

const UNTOLD: &str = "untold";
/// Names as a guest gives them; `out` and `above` are links that the host's user has made.
const NAMES: [&str; 14] = [
    "..",
    ".",
    "",
    "/",
    "../secret",
    "/etc/passwd",
    "sub/../../secret",
    "sub/..",
    "out",
    "above",
    "above/secret",
    "out/..",
    "../shared/../secret",
    "made\0/../../secret",
];
const RACES: u32 = 8_000;

/// A folder beside a file that nobody may read or change.
fn client() -> Client {
    let client = Client::new();
    fs::write(client.dir.path().join("secret"), UNTOLD).unwrap();
    fs::create_dir(client.path("sub")).unwrap();
    fs::write(client.path("file"), "inside").unwrap();
    symlink("../secret", client.path("out")).unwrap();
    symlink("..", client.path("above")).unwrap();
    client
}

/// What must stay as it is: names beside the folder; text, mode and times of the file.
fn outside(client: &Client) -> (Vec<String>, String, u32, (i64, i64)) {
    let folder = client.dir.path();
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    let secret = folder.join("secret");
    let status = fs::metadata(&secret).unwrap();
    let text = fs::read_to_string(&secret).unwrap();
    (names, text, status.mode(), (status.mtime(), status.ctime_nsec()))
}

/// A request that has a name, and the requests that follow it.
type Try = fn(&mut Client, &str) -> Vec<Result<Vec<u8>, u32>>;

fn walked(client: &mut Client, names: &[&str]) -> Result<Vec<u8>, u32> {
    let start = body().u32(ROOT).u32(1).u16(names.len() as u16);
    client.call(110, names.iter().fold(start, |body, name| body.string(name)))
}

/// The name, walked as one and cut at its slashes; then a request of the fid.
fn at(client: &mut Client, name: &str, kind: u8, body: Body) -> Vec<Result<Vec<u8>, u32>> {
    let cut: Vec<&str> = name.split('/').collect();
    let mut replies = Vec::new();
    for names in [&[name][..], &cut] {
        replies.push(walked(client, names));
        replies.push(client.call(kind, Body(body.0.clone())));
        replies.push(client.call(116, crate::common::body().u32(1).u64(0).u32(100)));
        let written = crate::common::body().u32(1).u64(0).u32(1).bytes(b"x");
        replies.push(client.call(118, written));
        replies.push(client.call(120, crate::common::body().u32(1)));
    }
    replies
}

const TRIES: [Try; 18] = [
    |client, name| at(client, name, 12, body().u32(1).u32(0)),
    |client, name| at(client, name, 12, body().u32(1).u32(0o1002)),
    |client, name| at(client, name, 12, body().u32(1).u32(0o200_000)),
    |client, name| {
        at(client, name, 14, body().u32(1).string("secret").u32(0o1102).u32(0o666).u32(0))
    },
    |client, name| at(client, name, 22, body().u32(1)),
    |client, name| at(client, name, 24, body().u32(1).u64(0x7FF)),
    |client, name| {
        at(client, name, 26, Body([words(&[1, 9, 0, 0, 0, 0, 0]), vec![0; 32]].concat()))
    },
    |client, name| at(client, name, 20, body().u32(1).u32(ROOT).string("taken")),
    |client, name| at(client, name, 70, body().u32(ROOT).u32(1).string("taken")),
    |client, name| at(client, name, 72, body().u32(1).string("made").u32(0o777).u32(0)),
    |client, name| at(client, name, 76, body().u32(1).string("secret").u32(0)),
    |client, name| {
        vec![client.call(14, body().u32(ROOT).string(name).u32(0o1102).u32(0o666).u32(0))]
    },
    |client, name| vec![client.call(72, body().u32(ROOT).string(name).u32(0o777).u32(0))],
    |client, name| vec![client.call(16, body().u32(ROOT).string(name).string("../secret").u32(0))],
    |client, name| {
        let made = client.call(16, body().u32(ROOT).string("new").string(name).u32(0));
        [vec![made], at(client, "new", 12, body().u32(1).u32(0))].concat()
    },
    |client, name| vec![client.call(74, body().u32(ROOT).string("file").u32(ROOT).string(name))],
    |client, name| {
        let moved = client.call(74, body().u32(ROOT).string(name).u32(ROOT).string("taken"));
        [vec![moved], at(client, "taken", 12, body().u32(1).u32(2))].concat()
    },
    |client, name| {
        [0, 0x200].map(|how| client.call(76, body().u32(ROOT).string(name).u32(how))).to_vec()
    },
];

fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

fn tells(reply: &[u8]) -> bool {
    reply.windows(UNTOLD.len()).any(|part| part == UNTOLD.as_bytes())
}

#[test]
fn no_name_leads_out() {
    for (number, attempt) in TRIES.iter().enumerate() {
        for name in NAMES {
            let mut client = client();
            let before = outside(&client);
            for reply in attempt(&mut client, name).into_iter().flatten() {
                assert!(!tells(&reply), "try {number}, {name:?}");
            }
            assert_eq!(outside(&client), before, "try {number}, {name:?}");
        }
    }
    println!("{} tries", TRIES.len() * NAMES.len());
}

/// `d` is a folder and a link to the folder above, by turns.
fn change_hands(shared: &Path, ended: &AtomicBool) {
    let [d, folder, link] = ["d", "folder", "link"].map(|name| shared.join(name));
    while !ended.load(Ordering::Relaxed) {
        for (from, to) in [(&d, &folder), (&link, &d), (&d, &link), (&folder, &d)] {
            fs::rename(from, to).unwrap();
        }
    }
}

#[test]
fn no_race_leads_out() {
    let mut client = client();
    fs::create_dir(client.path("d")).unwrap();
    fs::write(client.path("d/secret"), "inside").unwrap();
    symlink("..", client.path("link")).unwrap();
    let before = outside(&client);
    let (ended, shared) = (AtomicBool::new(false), client.path(""));
    let (mut inside, mut refused) = (0, 0);
    thread::scope(|scope| {
        scope.spawn(|| change_hands(&shared, &ended));
        for number in 0..RACES {
            let replies = [
                walked(&mut client, &["d", "secret"]),
                client.call(12, body().u32(1).u32(if number % 2 == 0 { 0 } else { 0o1002 })),
                client.call(116, body().u32(1).u64(0).u32(100)),
                client.call(118, body().u32(1).u64(0).u32(6).bytes(b"inside")),
                client.call(120, body().u32(1)),
                walked(&mut client, &["d"]),
                client.call(72, body().u32(1).string("made").u32(0o777).u32(0)),
                client.call(76, body().u32(1).string("made").u32(0x200)),
                client.call(16, body().u32(1).string("planted").string("secret").u32(0)),
                client.call(76, body().u32(1).string("planted").u32(0)),
                client.call(120, body().u32(1)),
            ];
            for reply in replies {
                match reply {
                    Ok(reply) => {
                        assert!(!tells(&reply), "race {number}");
                        inside += 1;
                    }
                    Err(_) => refused += 1,
                }
            }
        }
        ended.store(true, Ordering::Relaxed);
    });
    println!("{RACES} races: {inside} requests were answered, {refused} refused");
    assert!(inside > 0 && refused > 0, "nothing was raced for");
    assert_eq!(outside(&client), before);
}
