//! Back and forth in a run: `bs` and `bc`, against what the run did the first time.

use rockcreek_chip::Stopped;
use rockcreek_debug::Slice;
use rockcreek_defs::CoreId;

use crate::client::common::{LOCKED_COUNT, Machine, exit, kernel, machine};
use crate::client::{Gdb, INC, chip, serve};

const SHARED: u32 = 0x8000_0000;
/// Behind the store to the shared word, and the store.
const STORED: u32 = INC + 6;
const STORE: u32 = INC + 1;

/// What a user sees of a moment.
#[derive(Clone, Debug, PartialEq, Eq)]
struct View {
    time: String,
    registers: Vec<String>,
    shared: String,
}

fn view(gdb: &mut Gdb) -> View {
    let registers = [1, 6].map(|thread| {
        gdb.ask(&format!("Hgp1.{thread}"));
        gdb.ask("g")
    });
    View { time: gdb.monitor("time"), registers: registers.into(), shared: gdb.ask("m80000000,4") }
}

fn step(gdb: &mut Gdb, thread: u32) -> View {
    // All others go on, without the breakpoints that were removed.
    let stop = gdb.ask(&format!("vCont;s:p1.{thread};c:p1.-1"));
    assert!(
        stop.starts_with("T05") && stop.contains(&format!("thread:p01.{thread:02x}")),
        "{stop}"
    );
    view(gdb)
}

fn back(gdb: &mut Gdb, thread: u32) -> String {
    assert_eq!(gdb.ask(&format!("Hcp1.{thread}")), "OK");
    gdb.ask("bs")
}

fn pc(gdb: &mut Gdb, stop: &str) -> u32 {
    let thread = if stop.contains("thread:p01.01") { "Hgp1.1" } else { "Hgp1.6" };
    gdb.ask(thread);
    gdb.pc()
}

#[test]
fn steps_back_are_the_steps_there() {
    let (address, server) = serve(chip());
    let mut gdb = Gdb::connect(address);
    gdb.ask(&format!("Z0,{STORED:x},1"));
    for _ in 0..5 {
        assert!(gdb.ask("vCont;c:p1.-1").starts_with("T05"));
    }
    gdb.ask(&format!("z0,{STORED:x},1"));
    let mut views: Vec<View> = (0..12).map(|_| step(&mut gdb, 6)).collect();
    // Backwards through them, now and then forward again, and forward to the latest moment.
    for n in (0..11).rev() {
        let stop = back(&mut gdb, 6);
        assert!(stop.starts_with("T05") && !stop.contains("replaylog"), "{stop}");
        assert_eq!(view(&mut gdb), views[n], "step {n}");
        if n % 4 == 2 {
            assert_eq!(step(&mut gdb, 6), views[n + 1], "forward again from {n}");
            back(&mut gdb, 6);
        }
    }
    assert!(gdb.ask("M100800,1:ab").starts_with('E'), "the past is not changed");
    let stop = gdb.ask("vCont;c:p1.-1");
    assert!(stop.contains("replaylog:end"), "{stop}");
    assert_eq!(Some(view(&mut gdb)), views.pop());
    // What gdb changes has no past.
    assert_eq!(gdb.ask("M100800,1:ab"), "OK");
    assert!(back(&mut gdb, 6).contains("replaylog:begin"));
    gdb.send("k");
    server.join().unwrap();
}

#[test]
fn watchpoints_and_breakpoints_are_met_in_the_opposite_order() {
    let (address, server) = serve(chip());
    let mut gdb = Gdb::connect(address);
    gdb.ask(&format!("Z2,{SHARED:x},4"));
    gdb.ask(&format!("Z0,{INC:x},1"));
    let mut there = Vec::new();
    for _ in 0..10 {
        let stop = gdb.ask("vCont;c:p1.-1");
        let (watched, pc) = (stop.contains("watch:80000000"), pc(&mut gdb, &stop));
        assert_eq!(pc, if watched { STORED } else { INC }, "{stop}");
        there.push((watched, view(&mut gdb)));
    }
    // The first one back is the stop where gdb is, if that is a watchpoint's: before the store.
    let present = there.last().unwrap().0;
    for (n, (watched, seen)) in there.iter().enumerate().rev() {
        if n == 9 && !present {
            continue;
        }
        let stop = gdb.ask("bc");
        assert_eq!(stop.contains("watch:80000000"), *watched, "{n}: {stop}");
        if *watched {
            assert_eq!(pc(&mut gdb, &stop), STORE);
            let value = |text: &str| u32::from_str_radix(text, 16).unwrap().swap_bytes();
            assert_eq!(value(&gdb.ask("m80000000,4")) + 1, value(&seen.shared));
        } else {
            assert_eq!(&view(&mut gdb), seen, "{n}");
        }
    }
    let stop = gdb.ask("bc");
    assert!(stop.contains("replaylog:begin"), "{stop}");
    assert_eq!(gdb.monitor("time"), "0 ps\n");
    // Forward again: the same stops.
    for (n, (_, seen)) in there.iter().take(9).enumerate() {
        let stop = gdb.ask("vCont;c:p1.-1");
        assert!(stop.starts_with("T05") && !stop.contains("replaylog"), "{n}: {stop}");
        assert_eq!(&view(&mut gdb), seen, "{n}");
    }
    assert!(gdb.ask("vCont;c:p1.-1").contains("replaylog:end"));
    assert_eq!(view(&mut gdb), there[9].1);
    gdb.send("k");
    server.join().unwrap();
}

fn ending() -> Box<Machine> {
    let mut chip = machine();
    for core in [0, 5] {
        let code = [&LOCKED_COUNT[..], &exit(core, 0)].concat();
        chip.load(CoreId(core), &kernel(&code), "", &[]).unwrap();
        chip.release(CoreId(core));
    }
    Box::new(chip)
}

#[test]
fn who_went_back_from_the_end_has_changed_nothing() {
    let mut straight = ending();
    assert_eq!(straight.run(None, || true), Stopped::Ended);
    let (address, server) = serve(ending());
    let mut gdb = Gdb::connect(address);
    assert!(gdb.monitor("stop-at-end").contains("before the run ends"));
    assert!(gdb.ask("vCont;c:p1.-1").starts_with("T02"));
    gdb.ask(&format!("Z2,{SHARED:x},4"));
    let stop = gdb.ask("bc");
    assert!(stop.contains("watch:80000000"), "{stop}");
    assert_eq!(gdb.ask("m80000000,4"), "27000000");
    assert!(gdb.monitor("past").contains("recorded from 0 ps to"), "{}", gdb.monitor("past"));
    assert!(gdb.monitor("release 7").contains("the past"));
    gdb.ask(&format!("z2,{SHARED:x},4"));
    assert!(gdb.ask("vCont;c:p1.-1").contains("replaylog:end"));
    assert!(gdb.ask("vCont;c:p1.-1").starts_with("W00"));
    let (mut chip, slice) = server.join().unwrap();
    assert_eq!(slice, Slice::Ran(Stopped::Ended));
    assert_eq!((chip.now(), chip.state_hash()), (straight.now(), straight.state_hash()));
}
