//! A client that has connected to the port of `--gdb`: gdb, or any other program.
//!
//! The server waits for a client no longer than a slice. Answers that the client has not read are
//! kept, up to a bound, and while some are kept the server reads nothing from the client. A client
//! is overdue if it does not read, does not end a packet that it began, or has sent no packet at
//! all. gdb does none of these.

use std::io::{Error, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use gdbstub::conn::Connection;

/// A client is overdue after this host time without progress.
const OVERDUE: Duration = Duration::from_secs(5);
/// The largest number of bytes of unread answers; more than any command's answer has.
const MOST_UNREAD_BYTES: usize = 16 << 20;
/// The pause between two attempts to send unread answers.
const PAUSE: Duration = Duration::from_millis(2);

/// The position within a packet (`$` data `#` two digits) that the client has reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Between,
    Inside,
    /// In the checksum, of which this number of digits is still to come.
    Checksum(u8),
}

/// A connection.
pub(crate) struct Client {
    stream: TcpStream,
    unread: Vec<u8>,
    place: Place,
    /// True if the client has sent a complete packet.
    is_gdb: bool,
    /// Since when the server waits for the first packet, or for the rest of one.
    owes_since: Option<Instant>,
    /// Since when the client has read nothing, although there are unread answers.
    reads_nothing_since: Option<Instant>,
}

impl Client {
    pub(crate) fn new(stream: TcpStream) -> std::io::Result<Client> {
        stream.set_nonblocking(true)?;
        stream.set_nodelay(true)?;
        Ok(Client {
            stream,
            unread: Vec::new(),
            place: Place::Between,
            is_gdb: false,
            owes_since: Some(Instant::now()),
            reads_nothing_since: None,
        })
    }

    /// True if the client has sent a complete packet, as gdb does.
    pub(crate) fn is_gdb(&self) -> bool {
        self.is_gdb
    }

    /// The reason why the client is overdue, in words; `None` if it is not.
    pub(crate) fn overdue(&self) -> Option<String> {
        let late = |since: Option<Instant>| since.is_some_and(|since| since.elapsed() >= OVERDUE);
        let seconds = OVERDUE.as_secs();
        if late(self.reads_nothing_since) {
            return Some(format!("it has read nothing for {seconds} s"));
        }
        late(self.owes_since).then(|| format!("it has sent no whole packet for {seconds} s"))
    }

    /// Returns what the client has sent by now, or sends within `patience`; an error if it is gone.
    pub(crate) fn hear(&mut self, patience: Duration) -> std::io::Result<Vec<u8>> {
        self.send()?;
        if !self.unread.is_empty() {
            std::thread::sleep(patience.min(PAUSE));
            return Ok(Vec::new());
        }
        let mut buffer = [0; 4096];
        let count = match self.read(&mut buffer, patience) {
            Ok(0) => return Err(ErrorKind::UnexpectedEof.into()),
            Ok(count) => count,
            Err(error) => match error.kind() {
                ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted => 0,
                _ => return Err(error),
            },
        };
        buffer[..count].iter().for_each(|byte| self.follow(*byte));
        Ok(buffer[..count].to_vec())
    }

    fn read(&mut self, buffer: &mut [u8], patience: Duration) -> std::io::Result<usize> {
        if patience.is_zero() {
            return Read::read(&mut self.stream, buffer);
        }
        self.stream.set_read_timeout(Some(patience))?;
        self.stream.set_nonblocking(false)?;
        let count = Read::read(&mut self.stream, buffer);
        self.stream.set_nonblocking(true)?;
        count
    }

    fn follow(&mut self, byte: u8) {
        self.place = match (self.place, byte) {
            (Place::Between, b'$') => Place::Inside,
            (Place::Inside, b'#') => Place::Checksum(2),
            (Place::Checksum(left), _) if left > 1 => Place::Checksum(left - 1),
            (Place::Checksum(_), _) => {
                self.is_gdb = true;
                Place::Between
            }
            (place, _) => place,
        };
        let owes = !self.is_gdb || self.place != Place::Between;
        self.owes_since = owes.then(|| self.owes_since.unwrap_or_else(Instant::now));
    }

    /// Sends as much of the unread answers as the connection accepts now.
    fn send(&mut self) -> std::io::Result<()> {
        while !self.unread.is_empty() {
            match Write::write(&mut self.stream, &self.unread) {
                Ok(0) => return Err(ErrorKind::WriteZero.into()),
                Ok(count) => {
                    self.unread.drain(..count);
                    self.reads_nothing_since = None;
                }
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    self.reads_nothing_since.get_or_insert_with(Instant::now);
                    return Ok(());
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        self.reads_nothing_since = None;
        Ok(())
    }
}

impl Connection for Client {
    type Error = Error;

    fn write(&mut self, byte: u8) -> Result<(), Error> {
        if self.unread.len() >= MOST_UNREAD_BYTES {
            return Err(ErrorKind::OutOfMemory.into());
        }
        self.unread.push(byte);
        Ok(())
    }

    fn flush(&mut self) -> Result<(), Error> {
        self.send()
    }
}
