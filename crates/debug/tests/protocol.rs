//! Sessions of gdb's remote protocol.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::mpsc::channel;
use std::thread::spawn;
use std::time::Duration;

use rockcreek_chip::Stopped;
use rockcreek_debug::{GdbServer, Manner, Slice};
use rockcreek_defs::{CoreAddr, CoreId, Ps};

use crate::client::common::{BASE, LOCKED_COUNT, Machine, exit, kernel, machine};
use crate::client::{CODE, Gdb, INC, chip, serve, unhex};

#[test]
fn a_session() {
    let (address, server) = serve(chip());
    let mut gdb = Gdb::connect(address);
    assert!(gdb.ask("?").starts_with(['S', 'T']));
    assert_eq!(gdb.ask("qfThreadInfo"), "mp01.01,p01.06");
    assert_eq!(unhex(&gdb.ask("qThreadExtraInfo,p1.6")), "Core 5 (tile 2,0)");
    assert_eq!(gdb.ask("Hgp1.6"), "OK");
    assert_eq!(gdb.pc(), CODE);
    assert_eq!(gdb.ask(&format!("m{BASE:x},4")), "02b0ad1b");
    assert!(gdb.ask("mf9000000,4").starts_with('E'), "registers are not memory");

    // A breakpoint: both cores come to it.
    assert_eq!(gdb.ask(&format!("Z0,{INC:x},1")), "OK");
    let stop = gdb.ask("vCont;c:p1.-1");
    assert!(stop.starts_with("T05") && stop.contains("swbreak"), "{stop}");
    let thread = if stop.contains("thread:p01.01") { "p1.1" } else { "p1.6" };
    assert_eq!(gdb.ask(&format!("Hg{thread}")), "OK");
    assert_eq!(gdb.pc(), INC);
    // One step, also over the breakpoint.
    let stop = gdb.ask(&format!("vCont;s:{thread};c:p1.-1"));
    assert!(stop.starts_with("T05"), "{stop}");
    assert_eq!(gdb.ask(&format!("Hg{thread}")), "OK");
    assert_eq!(gdb.pc(), INC + 1);

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
    assert!(gdb.monitor("mesh").contains("packets over"));
    assert!(gdb.monitor("tlb 5").contains("itlb") && gdb.monitor("regs 5").contains("ring 0"));
    assert!(gdb.monitor("tlb 5 0x40000000").contains("nothing is held"));
    let code = gdb.monitor(&format!("code 5 1 {INC:#x}"));
    assert!(code.contains("0000:0010001f  40") && code.contains("inc eax"), "{code}");
    for (command, words) in [
        ("nonsense", "there is no command monitor nonsense"),
        ("lut 48", "there is no core 48: cores are 0 to 47"),
        ("lut", "which core?"),
        ("lut 0 0x100", "entries are 0 to 255"),
        ("mpb 0 0x4000", "the buffer has 16384 bytes"),
        ("time 1", "more arguments"),
        ("mpb x", "'x' is not a number"),
        ("help", "monitor mpb"),
    ] {
        assert!(gdb.monitor(command).contains(words), "{command}: {}", gdb.monitor(command));
    }
    // What gdb may only see: the image with another CS is refused.
    let registers = gdb.ask("g");
    let refused = format!("G{}ffff0000{}", &registers[..80], &registers[88..]);
    assert!(gdb.ask(&refused).starts_with('E'));

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

#[test]
fn watchpoints_of_three_kinds() {
    let (address, server) = serve(chip());
    let mut gdb = Gdb::connect(address);
    let shared = 0x8000_0000u32;
    for (set, remove, told, after) in [
        ("Z2", "z2", "watch:80000000", INC + 6),
        ("Z3", "z3", "rwatch:80000000", INC),
        ("Z4", "z4", "awatch:80000000", INC + 6),
    ] {
        assert_eq!(gdb.ask(&format!("{set},{shared:x},4")), "OK");
        let stop = gdb.ask("vCont;c:p1.-1");
        assert!(stop.starts_with("T05") && stop.contains(told), "{stop}");
        let thread = if stop.contains("thread:p01.01") { "p1.1" } else { "p1.6" };
        gdb.ask(&format!("Hg{thread}"));
        assert_eq!(gdb.pc(), after, "{stop}");
        assert_eq!(gdb.ask(&format!("{remove},{shared:x},4")), "OK");
    }
    // A breakpoint in hardware is called so.
    assert_eq!(gdb.ask(&format!("Z1,{INC:x},1")), "OK");
    assert!(gdb.ask("vCont;c:p1.-1").contains("hwbreak"));
    gdb.send("k");
    server.join().unwrap();
}

#[test]
fn gdb_releases_a_held_core() {
    let mut chip = machine();
    for core in [0, 5] {
        let code = [&LOCKED_COUNT[..], &exit(core, 0)].concat();
        chip.load(CoreId(core), &kernel(&code), "", &[]).unwrap();
    }
    chip.release(CoreId(0));
    let (address, server) = serve(Box::new(chip));
    let mut gdb = Gdb::connect(address);
    assert_eq!(gdb.ask("qfThreadInfo"), "mp01.01");
    assert_eq!(gdb.monitor("release 5"), "core 5 is released\n");
    assert_eq!(gdb.ask("qfThreadInfo"), "mp01.01,p01.06");
    assert!(gdb.ask("vCont;c:p1.-1").starts_with("W00"));
    let (chip, _) = server.join().unwrap();
    let counted = chip.read_linear(CoreId(40), 0x8000_0000, 4).unwrap();
    assert_eq!(counted, [40, 0, 0, 0], "both cores have counted");
}

/// Real mode at 1000:0000, then 16-bit code whose segment begins at 0x20000.
fn sixteen_bits() -> Box<Machine> {
    let mut chip = machine();
    let mut place = |at: u32, bytes: &[u8]| chip.place(CoreId(0), CoreAddr(at), bytes).unwrap();
    place(0xFFFF_FFF0, &[0xEA, 0, 0, 0, 0x10]); // jmp 1000:0000
    place(
        0x1_0000,
        &[
            0xB8, 0x34, 0x12, // mov ax, 1234h
            0x8E, 0xD8, // mov ds, ax
            0xFF, 0x06, 0x10, 0x00, // inc word [10h]
            0x2E, 0x0F, 0x01, 0x16, 0x80, 0x00, // lgdt cs:[80h]
            0x0F, 0x20, 0xC0, // mov eax, cr0
            0x0C, 0x01, // or al, 1
            0x0F, 0x22, 0xC0, // mov cr0, eax
            0xEA, 0x00, 0x00, 0x08, 0x00, // jmp 0008:0000
        ],
    );
    place(0x1_0080, &[0x0F, 0, 0, 1, 1, 0]);
    place(0x1_0108, &[0xFF, 0xFF, 0, 0, 2, 0x9B, 0, 0]);
    place(0x2_0000, &[0x90, 0x40, 0xEB, 0xFD]); // nop; inc ax; jmp to inc
    chip.release(CoreId(0));
    Box::new(chip)
}

#[test]
fn addresses_are_linear_in_every_mode() {
    let (address, server) = serve(sixteen_bits());
    let mut gdb = Gdb::connect(address);
    gdb.ask("Hgp1.1");
    assert_eq!(gdb.pc(), 0xFFFF_FFF0);
    assert!(gdb.monitor("regs 0").contains("eip 0x0000fff0"));
    assert_eq!(gdb.ask("Z0,10003,1"), "OK");
    assert!(gdb.ask("vCont;c:p1.-1").contains("swbreak"));
    assert_eq!(gdb.pc(), 0x1_0003);
    assert!(gdb.monitor("regs 0").contains("real mode"));
    let code = gdb.monitor("code 0 2");
    assert!(code.contains("1000:00000003") && code.contains("inc word ptr [10h]"), "{code}");
    assert_eq!(gdb.ask("Z2,12350,2"), "OK");
    let stop = gdb.ask("vCont;c:p1.-1");
    assert!(stop.contains("watch:012350;"), "{stop}");
    assert_eq!((gdb.pc(), gdb.ask("m12350,2")), (0x1_0009, "0100".into()));
    gdb.ask("Z1,20001,1");
    assert!(gdb.ask("vCont;c:p1.-1").contains("hwbreak"));
    assert_eq!(gdb.pc(), 0x2_0001);
    assert!(gdb.monitor("regs 0").contains("protected mode, 16-bit code"));
    gdb.ask("vCont;s:p1.1");
    assert_eq!(gdb.pc(), 0x2_0002);
    // $pc is written as it is read.
    let registers = gdb.ask("g");
    let back = format!("G{}00000200{}", &registers[..64], &registers[72..]);
    assert_eq!(gdb.ask(&back), "OK");
    gdb.ask("vCont;s:p1.1");
    assert_eq!(gdb.pc(), 0x2_0001);
    gdb.send("k");
    server.join().unwrap();
}

#[test]
fn who_attaches_to_a_running_chip_changes_nothing() {
    let ending = || {
        let mut chip = machine();
        for core in [0, 5] {
            let code = [&LOCKED_COUNT[..], &exit(core, 0)].concat();
            chip.load(CoreId(core), &kernel(&code), "", &[]).unwrap();
            chip.release(CoreId(core));
        }
        chip
    };
    let mut straight = ending();
    assert_eq!(straight.run(None, || true), Stopped::Ended);

    let manner = Manner { wait: false, tell_rest: true };
    let mut server = GdbServer::listen("127.0.0.1:0", manner).unwrap();
    let address = server.address().unwrap();
    let ((connected, attached), (ready, reached)) = (channel(), channel());
    let running = spawn(move || {
        let mut chip = Box::new(ending());
        // Twice the chip runs on its own for a while, then gdb is there.
        for until in [1_000_000, 30_000_000] {
            let (back, slice) = server.slice(chip, Some(Ps(until)), Duration::from_secs(60));
            assert_eq!((slice.unwrap(), back.now()), (Slice::Ran(Stopped::Until), Ps(until)));
            chip = back;
            ready.send(()).unwrap();
            attached.recv().unwrap();
            let (back, slice) = server.slice(chip, None, Duration::from_secs(60));
            chip = back;
            let mut slice = slice.unwrap();
            while slice == Slice::Paused {
                let (back, next) = server.slice(chip, None, Duration::from_secs(60));
                (chip, slice) = (back, next.unwrap());
            }
            assert_eq!(slice, Slice::Ran(Stopped::Asked), "gdb has detached");
        }
        let (chip, slice) = server.slice(chip, None, Duration::from_secs(60));
        assert_eq!(slice.unwrap(), Slice::Ran(Stopped::Ended));
        chip
    });
    for time in ["1000000 ps\n", "30000000 ps\n"] {
        reached.recv().unwrap();
        let stream = TcpStream::connect(address).unwrap();
        connected.send(()).unwrap();
        let mut gdb = Gdb::on(stream);
        assert!(gdb.ask("?").starts_with(['S', 'T']));
        assert_eq!(gdb.monitor("time"), time);
        gdb.ask(&format!("Z0,{INC:x},1"));
        gdb.ask("Z2,80000000,4");
        assert!(gdb.ask("vCont;c:p1.-1").starts_with("T05"));
        assert!(gdb.ask("vCont;s:p1.6;c:p1.-1").starts_with("T05"));
        gdb.ask("D;1");
    }
    let mut chip = running.join().unwrap();
    assert_eq!((chip.now(), chip.state_hash()), (straight.now(), straight.state_hash()));
}
