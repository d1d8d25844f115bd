//! The connection to gdb. The front end calls the server for one slice of host time after another,
//! and handles guest output and input, Ctrl-C and limits between slices.
//!
//! The chip runs nothing before gdb has connected, or runs until a client connects ([`Manner`]).
//! When gdb connects, all cores stop at one simulated instant. While gdb is at its prompt, no
//! simulated time passes. After `detach` the chip runs on, and gdb may connect again at any time.
//! The server never blocks on a client: see [`crate::client`].

use std::collections::VecDeque;
use std::net::{SocketAddr, TcpListener};
use std::time::{Duration, Instant};

use gdbstub::stub::state_machine::GdbStubStateMachine;
use gdbstub::stub::{DisconnectReason, GdbStub, GdbStubError, MultiThreadStopReason};
use rockcreek_chip::Stopped;
use rockcreek_defs::{CoreId, Ps};

use crate::client::Client;
use crate::gdb_target::{ChipTarget, LENT, Machine};
use crate::host_record::Input;

/// The longest time that a slice waits for data from gdb.
pub(crate) const PATIENCE: Duration = Duration::from_millis(20);
/// The largest number of further connections that a slice closes.
const MOST_REFUSED: usize = 16;

/// The reason why there is no connection to gdb.
#[derive(Debug, thiserror::Error)]
pub enum ServerError {
    #[error("cannot listen at {address}: {error}")]
    Listen { address: String, error: std::io::Error },
    #[error("the connection to gdb: {0}")]
    Connection(#[from] std::io::Error),
    #[error("gdb's remote protocol: {0}")]
    Protocol(String),
}

/// The behaviour of a server before gdb connects, and when the chip is at rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Manner {
    /// True if the chip runs nothing before gdb has connected.
    pub wait: bool,
    /// True if gdb is notified when nothing can happen any more; false if the chip then waits for
    /// input to its consoles.
    pub tell_rest: bool,
}

/// The result of a slice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slice {
    /// No client has connected yet.
    Waiting,
    /// gdb is at its prompt.
    Paused,
    /// The chip ran and stopped for this reason.
    Ran(Stopped),
    /// gdb wants the run to end.
    Killed,
}

type Failure = GdbStubError<&'static str, std::io::Error>;
type Session = GdbStubStateMachine<'static, ChipTarget, Client>;

/// Listens for gdb and serves it.
pub struct GdbServer {
    listener: TcpListener,
    session: Option<Session>,
    target: ChipTarget,
    received: VecDeque<u8>,
    /// Messages for the user about clients that were dropped.
    notices: Vec<String>,
    /// True if the chip runs while no gdb is connected.
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
            notices: Vec::new(),
            free: !manner.wait,
            tell_rest: manner.tell_rest,
        })
    }

    pub fn address(&self) -> Result<SocketAddr, ServerError> {
        Ok(self.listener.local_addr()?)
    }

    /// The messages for the user since the last call.
    pub fn notices(&mut self) -> Vec<String> {
        let mut notices = std::mem::take(&mut self.notices);
        notices.append(&mut self.target.notices);
        notices
    }

    /// Call when the host has given a core's console input. `waited`: true if the core waited for
    /// it; other input ends the record of the past, because its instant is not recorded.
    pub fn note_input(&mut self, core: CoreId, bytes: &[u8], ends: bool, waited: bool) {
        if waited {
            self.target.history.note_input(Input { core, bytes: bytes.to_vec(), ends });
        } else {
            self.note_change();
        }
    }

    /// Call when a program of the host has changed the chip.
    pub fn note_change(&mut self) {
        self.target.note_change();
    }

    /// Serves gdb and lets the chip run as gdb demands, for about the time that `host` allows.
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
        self.accept()?;
        if self.session.is_none() {
            if self.free {
                return Ok(Slice::Ran(run(self.target.live(), until, deadline)));
            }
            std::thread::sleep(PATIENCE);
            return Ok(Slice::Waiting);
        }
        while let Some(mut session) = self.session.take() {
            let running = matches!(session, GdbStubStateMachine::Running(_));
            if let Some(why) = client(&mut session).overdue() {
                self.drop_client(&why);
                return Ok(Slice::Ran(Stopped::Asked));
            }
            let (session, end) = match session {
                GdbStubStateMachine::CtrlCInterrupt(inner) => {
                    self.target.end_hunt();
                    let reason = self.target.interrupted();
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
                    let byte = match self.next_byte(client(&mut session), running) {
                        Ok(byte) => byte,
                        // gdb is gone without a word.
                        Err(_) => {
                            self.leave();
                            return Ok(Slice::Ran(Stopped::Asked));
                        }
                    };
                    self.free |= client(&mut session).is_gdb();
                    self.step(session, byte, until, deadline)
                }
            };
            // Bytes that are no packet: whoever is there is not gdb.
            let Ok(session) = session else {
                self.drop_client("it does not speak gdb's remote protocol");
                return Ok(Slice::Ran(Stopped::Asked));
            };
            self.session = Some(session);
            // A client that never ceases to ask has its turn again in the next slice.
            let late = Instant::now() >= deadline;
            if let Some(end) = end.or(late.then_some(Slice::Paused)) {
                return Ok(end);
            }
        }
        Ok(Slice::Paused)
    }

    /// One byte of gdb's, or without one a slice of the chip's if gdb lets it run.
    fn step(
        &mut self,
        session: Session,
        byte: Option<u8>,
        until: Option<Ps>,
        deadline: Instant,
    ) -> (Result<Session, Failure>, Option<Slice>) {
        match (session, byte) {
            (GdbStubStateMachine::Idle(inner), Some(byte)) => {
                (inner.incoming_data(&mut self.target, byte), None)
            }
            (GdbStubStateMachine::Running(inner), Some(byte)) => {
                (inner.incoming_data(&mut self.target, byte), None)
            }
            (GdbStubStateMachine::Running(inner), None) => {
                if let Some(reason) = self.target.travel(deadline) {
                    return match reason {
                        Some(reason) => (inner.report_stop(&mut self.target, reason), None),
                        None => (Ok(inner.into()), Some(Slice::Paused)),
                    };
                }
                let stopped = self.run_recorded(until, deadline);
                match self.reported(stopped) {
                    Some(reason) => (inner.report_stop(&mut self.target, reason), None),
                    None => (Ok(inner.into()), Some(Slice::Ran(stopped))),
                }
            }
            (session, _) => (Ok(session), Some(Slice::Paused)),
        }
    }

    /// Runs a chip that gdb may lead back over what is done now.
    fn run_recorded(&mut self, until: Option<Ps>, deadline: Instant) -> Stopped {
        let ChipTarget { chip, history, .. } = &mut self.target;
        let chip = chip.as_mut().expect(LENT);
        history.before_run(chip);
        let begin = Instant::now();
        let stopped = run(chip, until, deadline);
        history.after_run(chip, begin.elapsed());
        stopped
    }

    /// The stop that is reported to gdb; `None` if gdb needs no report.
    fn reported(&mut self, stopped: Stopped) -> Option<MultiThreadStopReason<u32>> {
        let at_end = self.target.stop_at_end;
        match stopped {
            Stopped::Break(core) => Some(self.target.stop_reason(core)),
            Stopped::Ended if at_end => {
                self.target.stop_at_end = false;
                Some(self.target.interrupted())
            }
            Stopped::Ended => Some(MultiThreadStopReason::Exited(0)),
            // Nothing can happen any more, or the time is over: the user may look around.
            Stopped::Idle if !self.tell_rest => None,
            Stopped::Idle | Stopped::Until => Some(self.target.interrupted()),
            Stopped::Failed if at_end => Some(self.target.failed()),
            Stopped::Asked | Stopped::Input | Stopped::Failed => None,
        }
    }

    fn leave(&mut self) {
        self.session = None;
        self.received.clear();
        self.target.release();
    }

    fn drop_client(&mut self, why: &str) {
        self.leave();
        let then = if self.free { "the run goes on" } else { "gdb may still come" };
        self.notices.push(format!("the client of --gdb was dropped: {why}; {then}"));
    }

    /// Lets gdb in if nobody is there; who else comes is sent away.
    fn accept(&mut self) -> Result<(), ServerError> {
        for _ in 0..MOST_REFUSED {
            // A host that has no more descriptors, or a client that has gone: nobody has come.
            let Ok((stream, _)) = self.listener.accept() else { break };
            if self.session.is_some() {
                continue;
            }
            let Ok(client) = Client::new(stream) else { continue };
            self.target.chip().settle();
            let session = GdbStub::new(client).run_state_machine(&mut self.target);
            self.session = Some(session.map_err(|error| ServerError::Protocol(error.to_string()))?);
        }
        Ok(())
    }

    /// The next byte from gdb, if there is one; does not wait while the chip is running.
    fn next_byte(&mut self, client: &mut Client, running: bool) -> std::io::Result<Option<u8>> {
        if self.received.is_empty() {
            let patience = if running { Duration::ZERO } else { PATIENCE };
            self.received.extend(client.hear(patience)?);
        }
        Ok(self.received.pop_front())
    }
}

fn run(chip: &mut Machine, until: Option<Ps>, deadline: Instant) -> Stopped {
    let stopped = chip.run(until, || Instant::now() < deadline);
    chip.rest();
    stopped
}

fn client(session: &mut Session) -> &mut Client {
    match session {
        GdbStubStateMachine::Idle(inner) => inner.borrow_conn(),
        GdbStubStateMachine::Running(inner) => inner.borrow_conn(),
        GdbStubStateMachine::CtrlCInterrupt(inner) => inner.borrow_conn(),
        GdbStubStateMachine::Disconnected(inner) => inner.borrow_conn(),
    }
}
