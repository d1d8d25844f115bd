//! gdb's remote protocol over a real socket, and `monitor` commands.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::{Duration, Instant};

use rockcreek_debug::gdb_target::ChipTarget;
use rockcreek_debug::{GdbServer, Manner, Slice, monitor_commands};
use rockcreek_defs::CoreId;

use crate::small::{self, Machine};
use crate::texts::multiboot_kernel;

const SLICE: Duration = Duration::from_millis(2);
/// A server that does not notice the end of a connection by then hangs.
const PATIENCE: Duration = Duration::from_secs(30);

/// Two cores that count for ever.
fn chip() -> Machine {
    let mut chip = small::chip();
    for core in [0, 1] {
        let code = [0x40, 0xA3, 0, 0, 0, 0x80, 0xEB, 0xF8];
        chip.load(CoreId(core), &multiboot_kernel(&code), "", &[]).expect("a kernel");
        chip.release(CoreId(core));
    }
    chip
}

/// Lines become packets with right checksums; a line that begins with a zero byte is sent as it
/// is.
fn sent(data: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for line in data.split(|byte| *byte == b'\n') {
        match line.split_first() {
            Some((0, raw)) => bytes.extend(raw),
            _ => {
                let sum = line.iter().fold(0u8, |sum, byte| sum.wrapping_add(*byte));
                bytes.push(b'$');
                bytes.extend(line);
                bytes.extend(format!("#{sum:02x}+").as_bytes());
            }
        }
    }
    bytes
}

pub fn packets(data: &[u8]) {
    let mut server = GdbServer::listen("127.0.0.1:0", Manner { wait: true, tell_rest: true })
        .expect("a free port");
    let mut client = TcpStream::connect(server.address().expect("its port")).expect("a server");
    client.write_all(&sent(data)).expect("the server's buffer takes it");
    client.shutdown(Shutdown::Write).expect("an open connection");
    client.set_nonblocking(true).expect("a socket");
    let mut chip = Box::new(chip());
    let start = Instant::now();
    // When the connection is over the chip runs on without gdb; then enough has been seen.
    loop {
        let (back, slice) = server.slice(chip, None, SLICE);
        chip = back;
        let mut replies = [0; 4096];
        let over = matches!(client.read(&mut replies), Ok(0));
        if over || matches!(slice, Ok(Slice::Killed) | Err(_)) {
            break;
        }
        assert!(start.elapsed() < PATIENCE, "the connection never ends");
    }
    chip.settle();
}

pub fn packet_examples() -> Vec<Vec<u8>> {
    let texts = [
        "qSupported:multiprocess+;swbreak+;hwbreak+;vContSupported+\n?\nqfThreadInfo\nqsThreadInfo",
        "Hgp1.1\ng\nqThreadExtraInfo,p1.2\nm100000,40\nM200000,2:abcd\nG00000000\nP8=00000000",
        "Z0,10000c,1\nvCont;c:p1.-1\nvCont;s:p1.1;c\nz0,10000c,1\nZ1,10000d,1\nz1,10000d,1",
        "Z2,80000000,4\nZ3,80000000,2\nvCont;c\nz2,80000000,4\n\
         qXfer:features:read:target.xml:0,fff",
        "qRcmd,6d65736820\nqRcmd,6c75742030\nqAttached\nqC\nT1\nvMustReplyEmpty\nD;1",
        "Z2,80000000,4\nvCont;c\nHc1\nbs\nbc\nvCont;s:p1.1\nbc\nHc0\nbs\nqRcmd,70617374",
        "vCont?\nvKill;1\nk\nR00\n!\nqsymbol::\nX100000,3:abc\nc\ns\nC05\nHc-1\np0",
    ];
    texts.iter().map(|text| text.as_bytes().to_vec()).collect()
}

pub fn monitor(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    monitor_commands::answer(&mut ChipTarget::of(Box::new(chip())), &text);
}

pub fn monitor_examples() -> Vec<Vec<u8>> {
    let texts = [
        "mpb 1 0x10 32",
        "lut 0",
        "mesh",
        "cache 0 0x80000000",
        "time",
        "help",
        "past",
        "stop-at-end",
    ];
    texts.iter().map(|text| text.as_bytes().to_vec()).collect()
}
