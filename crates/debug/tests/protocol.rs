//! A gdb of our own: it speaks the remote protocol over a socket.

#[path = "../../chip/tests/common/mod.rs"]
mod common;

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::thread::{JoinHandle, spawn};
use std::time::Duration;

use common::{BASE, LOCKED_COUNT, Machine, exit, kernel, machine};
use rockcreek_chip::Stopped;
use rockcreek_debug::{GdbServer, Slice};
use rockcreek_defs::CoreId;

const CODE: u32 = BASE + 12;
const INC: u32 = CODE + 19;

/// The client's side.
struct Gdb {
    stream: TcpStream,
}

impl Gdb {
    fn connect(address: SocketAddr) -> Gdb {
        let stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        Gdb { stream }
    }

    fn send(&mut self, packet: &str) {
        let sum = packet.bytes().fold(0u8, u8::wrapping_add);
        self.stream.write_all(format!("${packet}#{sum:02x}").as_bytes()).unwrap();
    }

    fn byte(&mut self) -> u8 {
        let mut byte = [0];
        self.stream.read_exact(&mut byte).unwrap();
        byte[0]
    }

    /// The next packet, run lengths expanded.
    fn receive(&mut self) -> String {
        while self.byte() != b'$' {}
        let mut text = Vec::new();
        loop {
            match self.byte() {
                b'#' => break,
                b'*' => {
                    let (last, count) = (text[text.len() - 1], self.byte() - 29);
                    text.extend(std::iter::repeat_n(last, count.into()));
                }
                byte => text.push(byte),
            }
        }
        let _checksum = (self.byte(), self.byte());
        self.stream.write_all(b"+").unwrap();
        String::from_utf8(text).unwrap()
    }

    fn ask(&mut self, packet: &str) -> String {
        self.send(packet);
        self.receive()
    }

    fn eip(&mut self) -> u32 {
        let registers = self.ask("g");
        let word = &registers[8 * 8..9 * 8];
        u32::from_str_radix(word, 16).unwrap().swap_bytes()
    }

    /// The text of a monitor command.
    fn monitor(&mut self, command: &str) -> String {
        let hex: String = command.bytes().map(|byte| format!("{byte:02x}")).collect();
        self.send(&format!("qRcmd,{hex}"));
        let mut text = String::new();
        loop {
            let reply = self.receive();
            match reply.strip_prefix('O') {
                Some(hex) if reply != "OK" => text.push_str(&unhex(hex)),
                _ => return text,
            }
        }
    }
}

fn unhex(hex: &str) -> String {
    let byte = |n: usize| u8::from_str_radix(&hex[2 * n..2 * n + 2], 16).unwrap() as char;
    (0..hex.len() / 2).map(byte).collect()
}

/// Core 0 counts and exits, core 5 counts for ever.
fn chip() -> Box<Machine> {
    let mut chip = machine();
    let mut code = LOCKED_COUNT.to_vec();
    code.extend(exit(0, 0));
    chip.load(CoreId(0), &kernel(&code), "", &[]).unwrap();
    let forever = [&LOCKED_COUNT[..], &[0xEB, 0xDC]].concat();
    chip.load(CoreId(5), &kernel(&forever), "", &[]).unwrap();
    chip.release(CoreId(0));
    chip.release(CoreId(5));
    Box::new(chip)
}

/// Serves until gdb kills the run, or nobody is there any more.
fn serve(mut chip: Box<Machine>) -> (SocketAddr, JoinHandle<(Box<Machine>, Slice)>) {
    let mut server = GdbServer::listen("127.0.0.1:0").unwrap();
    let address = server.address().unwrap();
    let thread = spawn(move || {
        loop {
            let (back, slice) = server.slice(chip, None, Duration::from_millis(10));
            chip = back;
            match slice.unwrap() {
                Slice::Killed => return (chip, Slice::Killed),
                Slice::Ran(Stopped::Ended) => return (chip, Slice::Ran(Stopped::Ended)),
                _ => {}
            }
        }
    });
    (address, thread)
}

#[test]
fn a_session() {
    let (address, server) = serve(chip());
    let mut gdb = Gdb::connect(address);
    assert!(gdb.ask("qSupported:multiprocess+;swbreak+;vContSupported+").contains("swbreak+"));
    assert!(gdb.ask("?").starts_with(['S', 'T']));
    assert_eq!(gdb.ask("qfThreadInfo"), "mp01.01,p01.06");
    assert_eq!(unhex(&gdb.ask("qThreadExtraInfo,p1.6")), "Core 5 (tile 2,0)");
    assert_eq!(gdb.ask("Hgp1.6"), "OK");
    assert_eq!(gdb.eip(), CODE);
    assert_eq!(gdb.ask(&format!("m{BASE:x},4")), "02b0ad1b");
    assert!(gdb.ask("mf9000000,4").starts_with('E'), "registers are not memory");

    // A breakpoint: both cores come to it.
    assert_eq!(gdb.ask(&format!("Z0,{INC:x},1")), "OK");
    let stop = gdb.ask("vCont;c:p1.-1");
    assert!(stop.starts_with("T05") && stop.contains("swbreak"), "{stop}");
    let thread = if stop.contains("thread:p01.01") { "p1.1" } else { "p1.6" };
    assert_eq!(gdb.ask(&format!("Hg{thread}")), "OK");
    assert_eq!(gdb.eip(), INC);
    // One step, also over the breakpoint.
    let stop = gdb.ask(&format!("vCont;s:{thread};c:p1.-1"));
    assert!(stop.starts_with("T05"), "{stop}");
    assert_eq!(gdb.ask(&format!("Hg{thread}")), "OK");
    assert_eq!(gdb.eip(), INC + 1);

    // Memory and registers are written.
    assert_eq!(gdb.ask(&format!("M{:x},2:abcd", BASE + 0x800)), "OK");
    assert_eq!(gdb.ask(&format!("m{:x},2", BASE + 0x800)), "abcd");
    let registers = gdb.ask("g");
    assert_eq!(gdb.ask(&format!("G44332211{}", &registers[8..])), "OK");
    assert!(gdb.ask("g").starts_with("44332211"));

    assert!(gdb.monitor("lut 0").contains("0xf8"));
    assert!(gdb.monitor("mpb 0 0 32").starts_with("0000: 00 00"));
    assert!(gdb.monitor("mesh").contains("core 5 at (2,0)"));
    assert_eq!(gdb.monitor("cache 0"), "nothing is cached\n", "caches are off after a reset");
    assert!(gdb.monitor("nonsense").contains("monitor mpb"));

    // Without breakpoints core 5 runs for ever: Ctrl-C, kill.
    assert_eq!(gdb.ask(&format!("z0,{INC:x},1")), "OK");
    gdb.send("vCont;c:p1.-1");
    std::thread::sleep(Duration::from_millis(100));
    gdb.stream.write_all(&[3]).unwrap();
    assert!(gdb.receive().starts_with("T02"));
    gdb.send("vKill;1");
    let (_, end) = server.join().unwrap();
    assert_eq!(end, Slice::Killed);
}

#[test]
fn detach_lets_the_chip_run_and_gdb_may_come_back() {
    let (address, server) = serve(chip());
    let mut gdb = Gdb::connect(address);
    assert_eq!(gdb.ask(&format!("Z1,{INC:x},1")), "OK");
    assert!(gdb.ask("vCont;c:p1.-1").starts_with("T05"));
    let time = gdb.monitor("time");
    assert_eq!(gdb.ask("D;1"), "OK");
    drop(gdb);
    std::thread::sleep(Duration::from_millis(100));
    let mut gdb = Gdb::connect(address);
    assert_ne!(gdb.monitor("time"), time);
    // What is no packet ends the connection, not the run.
    gdb.stream.write_all(b"$garbage#00$$#zz").unwrap();
    let mut rest = Vec::new();
    let _ = gdb.stream.read_to_end(&mut rest);
    let mut gdb = Gdb::connect(address);
    assert!(gdb.ask("?").starts_with(['S', 'T']));
    gdb.send("k");
    assert_eq!(server.join().unwrap().1, Slice::Killed);
}
