//! The client's side of gdb's remote protocol, and chips that a server lends to it.

#[path = "../../chip/tests/common/mod.rs"]
pub(crate) mod common;

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::thread::{JoinHandle, spawn};
use std::time::Duration;

use rockcreek_chip::Stopped;
use rockcreek_debug::{GdbServer, Manner, Slice};
use rockcreek_defs::CoreId;

use common::{BASE, LOCKED_COUNT, Machine, exit, kernel, machine};

pub(crate) const CODE: u32 = BASE + 12;
pub(crate) const INC: u32 = CODE + 19;

/// The client's side.
pub(crate) struct Gdb {
    pub(crate) stream: TcpStream,
}

impl Gdb {
    pub(crate) fn connect(address: SocketAddr) -> Gdb {
        Gdb::on(TcpStream::connect(address).unwrap())
    }

    pub(crate) fn on(stream: TcpStream) -> Gdb {
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        let mut gdb = Gdb { stream };
        let known = gdb.ask("qSupported:multiprocess+;swbreak+;hwbreak+;vContSupported+");
        for word in ["swbreak+", "hwbreak+", "ReverseStep+", "ReverseContinue+"] {
            assert!(known.contains(word), "{known}");
        }
        gdb
    }

    pub(crate) fn send(&mut self, packet: &str) {
        let sum = packet.bytes().fold(0u8, u8::wrapping_add);
        self.stream.write_all(format!("${packet}#{sum:02x}").as_bytes()).unwrap();
    }

    pub(crate) fn byte(&mut self) -> u8 {
        let mut byte = [0];
        self.stream.read_exact(&mut byte).unwrap();
        byte[0]
    }

    /// The next packet, run lengths expanded.
    pub(crate) fn receive(&mut self) -> String {
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

    pub(crate) fn ask(&mut self, packet: &str) -> String {
        self.send(packet);
        self.receive()
    }

    /// The linear address of the instruction at hand.
    pub(crate) fn pc(&mut self) -> u32 {
        let registers = self.ask("g");
        let word = &registers[8 * 8..9 * 8];
        u32::from_str_radix(word, 16).unwrap().swap_bytes()
    }

    /// The text of a monitor command.
    pub(crate) fn monitor(&mut self, command: &str) -> String {
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

pub(crate) fn unhex(hex: &str) -> String {
    let byte = |n: usize| u8::from_str_radix(&hex[2 * n..2 * n + 2], 16).unwrap() as char;
    (0..hex.len() / 2).map(byte).collect()
}

/// Core 0 counts and exits, core 5 counts for ever.
pub(crate) fn chip() -> Box<Machine> {
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
pub(crate) fn serve(mut chip: Box<Machine>) -> (SocketAddr, JoinHandle<(Box<Machine>, Slice)>) {
    let manner = Manner { wait: true, tell_rest: true };
    let mut server = GdbServer::listen("127.0.0.1:0", manner).unwrap();
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
