//! The connection to gdb, driven in slices between which the front end sees to everything else:
//! guest output and input, Ctrl-C, limits.
//!
//! The server waits for gdb before the first slice runs anything, or lets the chip run until
//! somebody connects ([`Manner`]). When gdb connects all cores stop at one simulated instant. While
//! it is at its prompt no simulated time passes. After `detach` the chip runs on, and gdb may come
//! back at any time.

use std::collections::VecDeque;
use std::io::{ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::time::{Duration, Instant};

use gdbstub::common::Signal;
use gdbstub::conn::Connection;
use gdbstub::stub::state_machine::GdbStubStateMachine;
use gdbstub::stub::{DisconnectReason, GdbStub, MultiThreadStopReason};
use rockcreek_chip::Stopped;
use rockcreek_defs::Ps;

use crate::gdb_target::{ChipTarget, Machine};

/// How long a slice waits for gdb's next word.
const PATIENCE: Duration = Duration::from_millis(20);

/// Why there is no connection to gdb.
#[derive(Debug, thiserror::Error)]
pub enum ServerError {
    #[error("cannot listen at {address}: {error}")]
    Listen { address: String, error: std::io::Error },
    #[error("the connection to gdb: {0}")]
    Connection(#[from] std::io::Error),
    #[error("gdb's remote protocol: {0}")]
    Protocol(String),
}

/// How a server meets gdb.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Manner {
    /// Nothing runs before gdb has come.
    pub wait: bool,
    /// gdb is told when nothing can happen any more; otherwise the chip rests and waits for what
    /// its consoles bring.
    pub tell_rest: bool,
}

/// What a slice was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slice {
    /// Nobody has connected yet.
    Waiting,
    /// gdb is at its prompt.
    Paused,
    /// The chip ran, and came back for this reason.
    Ran(Stopped),
    /// gdb wants the run to end.
    Killed,
}

/// The socket, written packet by packet.
struct Wire {
    stream: TcpStream,
    out: Vec<u8>,
}

impl Connection for Wire {
    type Error = std::io::Error;

    fn write(&mut self, byte: u8) -> Result<(), std::io::Error> {
        self.out.push(byte);
        Ok(())
    }

    fn flush(&mut self) -> Result<(), std::io::Error> {
        Write::write_all(&mut self.stream, &std::mem::take(&mut self.out))
    }
}

type Session = GdbStubStateMachine<'static, ChipTarget, Wire>;

/// Listens for gdb and serves it.
pub struct GdbServer {
    listener: TcpListener,
    session: Option<Session>,
    target: ChipTarget,
    received: VecDeque<u8>,
    /// Without gdb the chip runs.
    free: bool,
    tell_rest: bool,
}

impl GdbServer {
    /// Listens at `host:port`; port 0 is any free one.
    pub fn listen(address: &str, manner: Manner) -> Result<GdbServer, ServerError> {
        let failed = |error| ServerError::Listen { address: address.into(), error };
        let listener = TcpListener::bind(address).map_err(failed)?;
        listener.set_nonblocking(true).map_err(failed)?;
        Ok(GdbServer {
            listener,
            session: None,
            target: ChipTarget::new(),
            received: VecDeque::new(),
            free: !manner.wait,
            tell_rest: manner.tell_rest,
        })
    }

    pub fn address(&self) -> Result<SocketAddr, ServerError> {
        Ok(self.listener.local_addr()?)
    }

    /// Serves gdb and lets the chip run as gdb says, for about as long as `host` tells.
    pub fn slice(
        &mut self,
        chip: Box<Machine>,
        until: Option<Ps>,
        host: Duration,
    ) -> (Box<Machine>, Result<Slice, ServerError>) {
        self.target.chip = Some(chip);
        let result = self.serve(until, Instant::now() + host);
        if result.is_err() {
            self.leave();
        }
        let chip = self.target.chip.take().expect("it was put there above");
        (chip, result)
    }

    fn serve(&mut self, until: Option<Ps>, deadline: Instant) -> Result<Slice, ServerError> {
        if self.session.is_none() && !self.accept()? {
            if self.free {
                return Ok(Slice::Ran(self.run(until, deadline)));
            }
            std::thread::sleep(PATIENCE);
            return Ok(Slice::Waiting);
        }
        while let Some(session) = self.session.take() {
            let running = matches!(session, GdbStubStateMachine::Running(_));
            let (session, end) = match session {
                GdbStubStateMachine::CtrlCInterrupt(inner) => {
                    let reason = self.interrupted();
                    (inner.interrupt_handled(&mut self.target, Some(reason)), None)
                }
                GdbStubStateMachine::Disconnected(inner) => {
                    let reason = inner.get_reason();
                    self.leave();
                    return Ok(match reason {
                        DisconnectReason::Kill => Slice::Killed,
                        DisconnectReason::TargetExited(_) => Slice::Ran(Stopped::Ended),
                        _ => Slice::Ran(Stopped::Asked),
                    });
                }
                mut session => {
                    let byte = match self.next_byte(wire(&mut session), running) {
                        Ok(byte) => byte,
                        // gdb is gone without a word.
                        Err(_) => {
                            self.leave();
                            return Ok(Slice::Ran(Stopped::Asked));
                        }
                    };
                    match (session, byte) {
                        (GdbStubStateMachine::Idle(inner), Some(byte)) => {
                            (inner.incoming_data(&mut self.target, byte), None)
                        }
                        (GdbStubStateMachine::Running(inner), Some(byte)) => {
                            (inner.incoming_data(&mut self.target, byte), None)
                        }
                        (GdbStubStateMachine::Running(inner), None) => {
                            let stopped = self.run(until, deadline);
                            match self.reported(stopped) {
                                Some(reason) => (inner.report_stop(&mut self.target, reason), None),
                                None => (Ok(inner.into()), Some(Slice::Ran(stopped))),
                            }
                        }
                        (session, _) => (Ok(session), Some(Slice::Paused)),
                    }
                }
            };
            // Bytes that are no packet: whoever is there is not gdb.
            let Ok(session) = session else {
                self.leave();
                return Ok(Slice::Ran(Stopped::Asked));
            };
            self.session = Some(session);
            if let Some(end) = end {
                return Ok(end);
            }
        }
        Ok(Slice::Paused)
    }

    fn run(&mut self, until: Option<Ps>, deadline: Instant) -> Stopped {
        let stopped = self.target.chip().run(until, || Instant::now() < deadline);
        self.target.chip().rest();
        stopped
    }

    /// What gdb hears of a stop; `None` if it is none of its business.
    fn reported(&mut self, stopped: Stopped) -> Option<MultiThreadStopReason<u32>> {
        match stopped {
            Stopped::Break(core) => Some(self.target.stop_reason(core)),
            Stopped::Ended => Some(MultiThreadStopReason::Exited(0)),
            // Nothing can happen any more, or the time is over: the user may look around.
            Stopped::Idle if !self.tell_rest => None,
            Stopped::Idle | Stopped::Until => Some(self.interrupted()),
            Stopped::Asked | Stopped::Input | Stopped::Failed => None,
        }
    }

    fn interrupted(&mut self) -> MultiThreadStopReason<u32> {
        self.target.chip().settle();
        let tid = self.target.first();
        MultiThreadStopReason::SignalWithThread { tid, signal: Signal::SIGINT }
    }

    fn leave(&mut self) {
        self.session = None;
        self.received.clear();
        self.target.release();
    }

    /// True if gdb has just connected.
    fn accept(&mut self) -> Result<bool, ServerError> {
        let stream = match self.listener.accept() {
            Ok((stream, _)) => stream,
            Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(false),
            Err(error) => return Err(error.into()),
        };
        stream.set_nonblocking(false)?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        self.free = true;
        self.target.chip().settle();
        let stub = GdbStub::new(Wire { stream, out: Vec::new() });
        let session = stub.run_state_machine(&mut self.target);
        self.session = Some(session.map_err(|error| ServerError::Protocol(error.to_string()))?);
        Ok(true)
    }

    /// What gdb sent; while the chip is running nobody waits for it.
    fn next_byte(&mut self, wire: &mut Wire, running: bool) -> std::io::Result<Option<u8>> {
        if self.received.is_empty() {
            let mut buffer = [0; 4096];
            wire.stream.set_nonblocking(running)?;
            let count = wire.stream.read(&mut buffer);
            wire.stream.set_nonblocking(false)?;
            match count {
                Ok(0) => return Err(ErrorKind::UnexpectedEof.into()),
                Ok(count) => self.received.extend(&buffer[..count]),
                Err(error) => match error.kind() {
                    ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted => {}
                    _ => return Err(error),
                },
            }
        }
        Ok(self.received.pop_front())
    }
}

fn wire(session: &mut Session) -> &mut Wire {
    match session {
        GdbStubStateMachine::Idle(inner) => inner.borrow_conn(),
        GdbStubStateMachine::Running(inner) => inner.borrow_conn(),
        GdbStubStateMachine::CtrlCInterrupt(inner) => inner.borrow_conn(),
        GdbStubStateMachine::Disconnected(inner) => inner.borrow_conn(),
    }
}
